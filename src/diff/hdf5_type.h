/* Types of HDF5, in words, and their elements as bytes that are the same wherever they lie in a file. */
#ifndef STET_DIFF_HDF5_TYPE_H
#define STET_DIFF_HDF5_TYPE_H

#include <stdbool.h>

#include "diff/hdf5_library.h"
#include "diff/hdf5_record.h"

/* "int32, big-endian", "compound { x: float64, name: string }". */
void hdf5_type_put(const struct hdf5_library *library, hdf5_id type, FILE *out);

/* What its elements are as numbers. */
struct hdf5_numbers hdf5_type_numbers(const struct hdf5_library *library, hdf5_id type);

/* Have its elements no pointers, gaps or addresses: are their bytes what they are? */
bool hdf5_type_is_plain(const struct hdf5_library *library, hdf5_id type);

/* Writes an element that is in memory: what it points to, not where that is. */
void hdf5_element_put(const struct hdf5_library *library, hdf5_id file, hdf5_id type,
	const unsigned char *element, FILE *out);

#endif
