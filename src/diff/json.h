/*
 * JSON, by its structure: which values differ, by their paths ($.a[2].b). The order of keys, blanks,
 * escapes and how numbers are written do not matter to its content. What is too large to be held as
 * a tree is left to the next format.
 */
#ifndef STET_DIFF_JSON_H
#define STET_DIFF_JSON_H

#include "diff/compare.h"

bool json_is(const struct blob *blob);
compare_function json_compare;

#endif
