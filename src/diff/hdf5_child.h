/*
 * Reads a HDF5 file by libhdf5 in a process of its own, with limits: files from strangers have made
 * that library fail in many ways, and a failure there is no more than the end of the records.
 */
#ifndef STET_DIFF_HDF5_CHILD_H
#define STET_DIFF_HDF5_CHILD_H

#include <stdio.h>
#include <sys/types.h>

#include "diff/blob.h"

struct hdf5_child {
	pid_t pid;
	FILE *records; /* hdf5_record.h */
};

/* The file is copied for it: the library reads only files. -1 with err. */
int hdf5_child_start(struct hdf5_child *child, const struct blob *file, struct budget *budget,
	struct error *err);
/* Ends it, wherever it is. */
void hdf5_child_end(struct hdf5_child *child);

#endif
