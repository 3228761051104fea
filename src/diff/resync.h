/*
 * Finds what was inserted, removed or replaced between two sequences of bytes: where they part, a
 * rolling hash over B looks for the next block of A that both have. The time is bounded: where too
 * much is spent, all of the rest counts as replaced.
 */
#ifndef STET_DIFF_RESYNC_H
#define STET_DIFF_RESYNC_H

#include "diff/changes.h"

/* How many bytes from the start, or from the end, are the same. */
uint64_t common_prefix(const unsigned char *a, const unsigned char *b, uint64_t most);
uint64_t common_suffix(const unsigned char *a_end, const unsigned char *b_end, uint64_t most);

/* Adds the changes; -1 without memory. */
int resync(const unsigned char *a, uint64_t a_size, const unsigned char *b, uint64_t b_size,
	struct changes *changes);

#endif
