/* All that is in a HDF5 file, as records: groups, datasets, named types, links and attributes. */
#ifndef STET_DIFF_HDF5_WALK_H
#define STET_DIFF_HDF5_WALK_H

#include "diff/hdf5_record.h"

/* The file is open as this descriptor. For a process of its own, which may come to grief. -1 when it
 * could not all be read: then the last record is missing. */
int hdf5_walk(int fd, FILE *out);

#endif
