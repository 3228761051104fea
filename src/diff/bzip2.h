/* Bzip2; see packed.h. */
#ifndef STET_DIFF_BZIP2_H
#define STET_DIFF_BZIP2_H

#include "diff/packed.h"

bool bzip2_is(const struct blob *blob);
compare_function bzip2_compare;
unpack_function bzip2_unpack;

#endif
