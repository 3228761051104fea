/*
 * HDF5: groups, datasets, named types, links and attributes by their paths, in whatever order and
 * storage. It needs libhdf5 at hand; without it, and for what that cannot read, bytes are compared.
 */
#ifndef STET_DIFF_HDF5_H
#define STET_DIFF_HDF5_H

#include "diff/compare.h"

bool hdf5_is(const struct blob *blob);
compare_function hdf5_compare;

#endif
