/* The objects of a HDF5 file, as its reader tells them (hdf5_record.h), as members. */
#ifndef STET_DIFF_HDF5_LIST_H
#define STET_DIFF_HDF5_LIST_H

#include "diff/hdf5_record.h"
#include "diff/listed.h"

struct hdf5_listed {
	struct members members; /* with the numbers of each as `at`: see hdf5_numbers_of */
	uint64_t unreadable;	/* objects whose bytes could not all be read */
	bool no_library;
};

/* NOT_THIS when the records end too early, or are none. To be released in any case. */
enum compared hdf5_list(
	struct hdf5_listed *listed, struct diff *diff, FILE *records, struct error *err);

/* What the bytes of a member are. */
struct hdf5_numbers hdf5_numbers_of(const struct member *member);

#endif
