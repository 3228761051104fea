/* Tars, of all kinds: what headers say, and the bytes of files where they are in the tar. */
#ifndef STET_DIFF_TAR_H
#define STET_DIFF_TAR_H

#include "diff/compare.h"

bool tar_is(const struct blob *blob);
compare_function tar_compare;

#endif
