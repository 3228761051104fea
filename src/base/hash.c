#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"

#define CHUNK (1 << 18)

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

int hash_whole(int fd, char text[HASH_TEXT])
{
	cleanup_free char *buffer = malloc(CHUNK);
	struct hash hash;
	off_t at = 0;
	ssize_t n = -1;

	hash_start(&hash);
	while (buffer && (n = pread(fd, buffer, CHUNK, at)) > 0) {
		hash_add(&hash, buffer, (size_t)n);
		at += n;
	}
	if (n < 0)
		return -1;
	hash_finish(&hash, text);
	return 0;
}
