/*
 * Finds for the records of a ROOT file what they are to be compared with in another, in whatever
 * order both have them: the same directory, name, class, cycle and title; then with less and less
 * of that. Of several that are the same in all this, those with the same bytes belong together, and
 * the rest in their order.
 */
#ifndef STET_DIFF_ROOT_MATCH_H
#define STET_DIFF_ROOT_MATCH_H

#include "diff/root_file.h"

/* Sets `mate` and `again` of all records, and `baskets_moved` of A; -1 without memory. Directories are identified before. */
int root_match(struct root_file *a, struct root_file *b);

#endif
