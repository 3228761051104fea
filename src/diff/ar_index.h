/* The index of symbols of a static library: which symbol is in which member. A member of its own. */
#ifndef STET_DIFF_AR_INDEX_H
#define STET_DIFF_AR_INDEX_H

#include "diff/compare.h"

bool ar_index_is(const struct blob *blob);
compare_function ar_index_compare;

#endif
