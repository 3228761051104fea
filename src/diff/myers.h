/*
 * The shortest way from one sequence of numbers to another, by removals and insertions (Myers 1986,
 * in linear space). Time is bounded: where the sequences have too little in common, the way is a
 * good one instead of the shortest, and in the end what is left counts as replaced.
 */
#ifndef STET_DIFF_MYERS_H
#define STET_DIFF_MYERS_H

#include "diff/changes.h"

/* The numbers are less than `ids`. Adds the changes; -1 without memory. */
int myers(const uint32_t *a, uint64_t a_count, const uint32_t *b, uint64_t b_count, uint32_t ids,
	struct changes *changes);

#endif
