/*
 * ROOT files (CERN): records are matched without regard to their order and compared as ROOT_diff
 * does: the structure is length, cycle and class; the content is the payload when it is unpacked;
 * bits are the time, too. Records that keep the file together are ignored.
 */
#ifndef STET_DIFF_ROOT_H
#define STET_DIFF_ROOT_H

#include "diff/compare.h"

bool root_is(const struct blob *blob);
compare_function root_compare;

#endif
