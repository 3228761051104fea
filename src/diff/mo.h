/*
 * Compiled message catalogues of gettext, by messages. Dates of the catalogue, the order of bytes in
 * numbers and the hash table are bookkeeping.
 */
#ifndef STET_DIFF_MO_H
#define STET_DIFF_MO_H

#include "diff/compare.h"

bool mo_is(const struct blob *blob);
compare_function mo_compare;

#endif
