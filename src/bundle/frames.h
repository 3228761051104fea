/*
 * Compressed pieces of a bundle. Frames of zstd behind each other are one stream, so each content is
 * a frame of its own, which depends on nothing else, and can be kept for the next bundle: most of
 * what commands read are programs and libraries that do not change. Uses base and zstd.
 */
#ifndef STET_BUNDLE_FRAMES_H
#define STET_BUNDLE_FRAMES_H

#include <sys/stat.h>

#include "base/error.h"
#include "base/hash.h"

struct frames; /* a list of them */

/* They are collected in the file `spool`, and large contents are kept below the directory `cache`,
 * which may be NULL. NULL without memory. */
struct frames *frames_new(int spool, const char *cache);
void frames_release(struct frames *frames);

/* All answer 0, or -1 and errno. */

/* A frame of these bytes. */
int frames_add(struct frames *frames, const void *data, size_t bytes);
/* A frame of the file's content, padded to a multiple of `block`. Its size must be that of `status`:
 * EBUSY when it is not. */
int frames_add_file(struct frames *frames, int file, const struct stat *status, size_t block,
	char hash[HASH_TEXT]);
/* Appends all of them to `fd`. */
int frames_write(const struct frames *frames, int fd);

#endif
