/* gzip (RFC 1952): the header has a time, a name and more; see packed.h for the rest. */
#ifndef STET_DIFF_GZIP_H
#define STET_DIFF_GZIP_H

#include "diff/compare.h"

bool gzip_is(const struct blob *blob);
compare_function gzip_compare;

#endif
