/* What liblzma unpacks: xz, lzip, and the old .lzma, which has neither magic nor checksum. */
#ifndef STET_DIFF_XZ_H
#define STET_DIFF_XZ_H

#include "diff/packed.h"

bool xz_is(const struct blob *blob);
compare_function xz_compare;
unpack_function xz_unpack;

bool lzip_is(const struct blob *blob);
compare_function lzip_compare;

bool lzma_is(const struct blob *blob);
compare_function lzma_compare;

#endif
