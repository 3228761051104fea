/* Frames that readers of Zstandard and LZ4 skip: a magic number of a range, a size, any bytes. */
#ifndef STET_DIFF_SKIPPABLE_H
#define STET_DIFF_SKIPPABLE_H

#include "diff/blob.h"

#define SKIPPABLE_HEADER 8

static inline bool skippable_is(const struct blob *blob)
{
	return blob->size >= SKIPPABLE_HEADER && (blob_le(blob, 0, 4) & ~15ull) == 0x184d2a50 &&
	       blob_le(blob, 4, 4) <= blob->size - SKIPPABLE_HEADER;
}

static inline uint64_t skippable_size(const struct blob *blob)
{
	return SKIPPABLE_HEADER + blob_le(blob, 4, 4);
}

/* What follows all of them. */
static inline struct blob skippable_skip(const struct blob *blob)
{
	struct blob rest = *blob;

	while (skippable_is(&rest))
		rest = blob_part(&rest, skippable_size(&rest), UINT64_MAX, blob->name);
	return rest;
}

#endif
