/*
 * What the reader of a HDF5 file says of it, to the process that started it: objects with facts and
 * bytes, one after the other. Nobody vouches for the reader once it has seen a file from a stranger,
 * so what comes is checked as the file would be.
 */
#ifndef STET_DIFF_HDF5_RECORD_H
#define STET_DIFF_HDF5_RECORD_H

#include <stdint.h>
#include <stdio.h>

enum hdf5_record {
	HDF5_NO_LIBRARY = 'n', /* alone */
	HDF5_OBJECT = 'o',     /* text: its path; an attribute is below its object, behind a @ */
	HDF5_FACT = 'f',       /* a byte: which; text */
	HDF5_VALUES = 'v',     /* bytes: class, size and order of numbers that follow */
	HDF5_BYTES = 'b',      /* pieces, each as a text; the last is empty */
	HDF5_COMPLETE = 'e',   /* the last */
};

enum hdf5_fact {
	HDF5_FACT_KIND,
	HDF5_FACT_TYPE,
	HDF5_FACT_SHAPE,
	HDF5_FACT_MOST,
	HDF5_FACT_LAYOUT,
	HDF5_FACT_FILTERS,
	HDF5_FACT_TARGET,
	HDF5_FACT_UNREADABLE,
};
#define HDF5_FACTS (HDF5_FACT_UNREADABLE + 1)

/* Numbers that can be shown. */
struct hdf5_numbers {
	unsigned char class; /* 'i', 'u', 'f'; 0 for others */
	unsigned char size;
	unsigned char big;
};

/* For the writer. A text is four bytes of its length and that. */
void hdf5_put_text(FILE *out, const void *text, size_t size);
void hdf5_put_object(FILE *out, const char *path);
void hdf5_put_fact(FILE *out, enum hdf5_fact fact, const char *value);
void hdf5_put_values(FILE *out, const struct hdf5_numbers *numbers);

#endif
