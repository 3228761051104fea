/* Sparse files in tars: GNU's own format, and its versions 0.0, 0.1 and 1.0 in records of pax. */
#ifndef STET_DIFF_TAR_SPARSE_H
#define STET_DIFF_TAR_SPARSE_H

#include "diff/packed.h"
#include "diff/tar_entry.h"

bool tar_is_sparse(const struct tar_entry *entry);

/* Writes the whole file, with zeros where it has holes; without a writer only looks whether it
 * could. */
enum unpacked tar_sparse_expand(const struct blob *tar, const struct tar_entry *entry,
	struct blob_writer *to, struct error *err);

#endif
