/* LZ4: frames, and the legacy format that kernels use; see packed.h. */
#ifndef STET_DIFF_LZ4_H
#define STET_DIFF_LZ4_H

#include "diff/compare.h"

bool lz4_is(const struct blob *blob);
compare_function lz4_compare;

#endif
