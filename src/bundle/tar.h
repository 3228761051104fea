/*
 * Headers of a tar, in GNU's form, which knows long names as they are. libarchive could write them
 * too, but brings along every other format that it can write, and what those need. Uses nobody.
 */
#ifndef STET_BUNDLE_TAR_H
#define STET_BUNDLE_TAR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define TAR_BLOCK 512u
#define TAR_END	  (2 * TAR_BLOCK) /* zeros */

/* The header of a plain file, to be freed: `*bytes` of it. Apart from the arguments nothing decides
 * what it has. NULL without memory. */
char *tar_header(const char *name, mode_t mode, uint64_t size, size_t *bytes);

/* How many zeros come behind a content of this size. */
static inline size_t tar_padding(uint64_t size)
{
	return (size_t)(-size % TAR_BLOCK);
}

#endif
