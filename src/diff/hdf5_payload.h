/* What datasets and attributes hold, in pieces, so that a dataset of any size needs little memory. */
#ifndef STET_DIFF_HDF5_PAYLOAD_H
#define STET_DIFF_HDF5_PAYLOAD_H

#include "diff/hdf5_type.h"

/* The shape of a dataset or attribute. */
struct hdf5_shape {
	int kind;  /* HDF5_SCALAR ... */
	int count; /* of dimensions */
	unsigned long long sizes[HDF5_DIMENSIONS], most[HDF5_DIMENSIONS];
	uint64_t elements;
};
/* -1 when it cannot be told. */
int hdf5_shape_read(const struct hdf5_library *library, hdf5_id space, struct hdf5_shape *shape);

/* What both have in common. */
struct hdf5_source {
	const struct hdf5_library *library;
	hdf5_id file, object, type;
	struct hdf5_shape shape;
};

/* Pieces of HDF5_BYTES. -1 when it could not all be read. */
int hdf5_payload_put_dataset(const struct hdf5_source *dataset, FILE *out);
int hdf5_payload_put_attribute(const struct hdf5_source *attribute, FILE *out);

#endif
