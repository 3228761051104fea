/*
 * Plain bytes, for whatever no other format is for: how many differ and where; what was inserted or
 * removed is told as such, and not as a difference of all that follows.
 */
#ifndef STET_DIFF_BINARY_H
#define STET_DIFF_BINARY_H

#include "diff/compare.h"

bool binary_is(const struct blob *blob);
compare_function binary_compare;

#endif
