/* cpio archives: new ASCII with and without checksums, old ASCII, and binary of both orders. */
#ifndef STET_DIFF_CPIO_H
#define STET_DIFF_CPIO_H

#include "diff/compare.h"

bool cpio_is(const struct blob *blob);
compare_function cpio_compare;

#endif
