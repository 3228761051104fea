/* SHA-256 of what goes by. Uses libcrypto only. */
#ifndef STET_BASE_HASH_H
#define STET_BASE_HASH_H

/* The plain functions: others would read a configuration file, perhaps the container's. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#include <stdint.h>

#define HASH_TEXT 65 /* hexadecimal, with its end */

struct hash {
	SHA256_CTX state;
	uint64_t bytes;
};

void hash_start(struct hash *hash);
void hash_add(struct hash *hash, const void *data, size_t bytes);
void hash_finish(struct hash *hash, char text[HASH_TEXT]);

/* Of a file, from its start to its end. -1 and errno. */
int hash_whole(int fd, char text[HASH_TEXT]);

#endif
