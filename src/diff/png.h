/*
 * PNG, by chunks: dates among them are bookkeeping; pixels are compared unpacked and without the
 * filters of their rows, so that another compression leaves the content equal.
 */
#ifndef STET_DIFF_PNG_H
#define STET_DIFF_PNG_H

#include "diff/compare.h"

bool png_is(const struct blob *blob);
compare_function png_compare;

#endif
