#include "base/hash.h"

#include <stdio.h>

void hash_start(struct hash *hash)
{
	hash->bytes = 0;
	SHA256_Init(&hash->state);
}

void hash_add(struct hash *hash, const void *data, size_t bytes)
{
	SHA256_Update(&hash->state, data, bytes);
	hash->bytes += bytes;
}

void hash_finish(struct hash *hash, char text[HASH_TEXT])
{
	unsigned char digest[SHA256_DIGEST_LENGTH];

	SHA256_Final(digest, &hash->state);
	for (int i = 0; i < SHA256_DIGEST_LENGTH; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
}
