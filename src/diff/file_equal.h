/* Whether two open files have the same bytes: read once each, and nothing is held. */
#ifndef STET_DIFF_FILE_EQUAL_H
#define STET_DIFF_FILE_EQUAL_H

#include "diff/compare.h"

/*
 * 1: they are the same, 0: not, -1: *unreadable is the side that cannot be read, for the reason in
 * errno; 0 there means that it became shorter meanwhile. Both have this size, are at their start,
 * and are left anywhere.
 */
int file_equal(struct diff *diff, const int fds[2], uint64_t size, int *unreadable);

#endif
