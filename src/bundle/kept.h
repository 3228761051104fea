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
/* Appends what is kept under the key to `fd`; false: nothing is, and nothing was done. */
bool kept_take(int cache, const char *key, int fd, char hash[HASH_TEXT]);
/* Keeps the bytes that `fd` has there. */
void kept_put(int cache, const char *key, const struct stat *status, int fd, off_t start,
	off_t bytes, const char hash[HASH_TEXT]);

#endif
