/* Zstandard; see packed.h. */
#ifndef STET_DIFF_ZSTD_H
#define STET_DIFF_ZSTD_H

#include "diff/packed.h"

bool zstd_is(const struct blob *blob);
compare_function zstd_compare;
unpack_function zstd_unpack;

#endif
