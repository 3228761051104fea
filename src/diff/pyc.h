/* Python's compiled modules: what the header says of the source is bookkeeping, the code is not. */
#ifndef STET_DIFF_PYC_H
#define STET_DIFF_PYC_H

#include "diff/compare.h"

bool pyc_is(const struct blob *blob);
compare_function pyc_compare;

#endif
