/*
 * ar archives, as GNU and BSD write them: Debian packages, and static libraries, whose index of
 * symbols is a member "/" and whose table of long names is one "//".
 */
#ifndef STET_DIFF_AR_H
#define STET_DIFF_AR_H

#include "diff/compare.h"

bool ar_is(const struct blob *blob);
bool ar_is_deb(const struct blob *blob);
compare_function ar_compare;

#endif
