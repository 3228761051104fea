/*
 * The cache of compressed contents, mode 0700: a file each, named by what the kernel says of the
 * file that it was made from, in this life of the kernel. A file gets its name when it is complete.
 * What nobody has used for a month is removed. Nothing here is needed: what fails is not kept.
 */
#ifndef STET_BUNDLE_KEPT_H
#define STET_BUNDLE_KEPT_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/hash.h"

/* The directory, or -1. */
int kept_open(const char *path);
/* What a file that has not been changed is known by. */
void kept_key(const struct stat *status, char key[HASH_TEXT]);
/* What is kept under the key: a file, to be closed, and which of its bytes; -1: nothing is. */
int kept_take(int cache, const char *key, off_t *start, uint64_t *bytes, char hash[HASH_TEXT]);
/* Keeps the bytes that `fd` has there. */
void kept_put(int cache, const char *key, const struct stat *status, int fd, off_t start,
	uint64_t bytes, const char hash[HASH_TEXT]);

/* Appends bytes of one file to another. -1 and errno. */
int kept_copy(int from, off_t start, int to, uint64_t bytes);

#endif
