/*
 * From the bytes of an ELF file to the cached file of format.h: a pure function, and the only part
 * of this folder that knows the whole of that format.
 */
#ifndef STET_CODE_REWRITE_H
#define STET_CODE_REWRITE_H

#include <stddef.h>
#include <stdint.h>

#include "code/format.h"

struct rewrite {
	uint8_t *image; /* the cached file, header included, without digest and checksum */
	size_t size;
	uint32_t sites;	    /* rewritten */
	uint32_t unpatched; /* proven instructions that had to stay as they are */
};

/*
 * 1: rewritten, the image is the caller's to free; 0: there is nothing to rewrite, or it cannot be
 * done; -1: out of memory.
 */
int rewrite_elf(struct rewrite *rewrite, const void *bytes, size_t size);

#endif
