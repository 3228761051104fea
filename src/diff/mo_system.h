/* Strings of a message catalogue that depend on the system: parts are names of formats, "PRIu64". */
#ifndef STET_DIFF_MO_SYSTEM_H
#define STET_DIFF_MO_SYSTEM_H

#include "diff/blob.h"

struct mo_system {
	const struct blob *blob;
	bool big; /* endian */
	uint64_t segment_count, segments;
	uint64_t count, ids, texts; /* of strings, and where their tables are */
};

/* Reads the longer header; false if the tables are not in the file. */
bool mo_system_read(struct mo_system *system, const struct blob *blob, bool big);

/* The string of a table, its names in "<>", to be freed. NULL when it is damaged, or has more than
 * *left bytes, from which it is subtracted. */
char *mo_system_string(const struct mo_system *system, uint64_t table, uint64_t index,
	uint64_t *left, size_t *size);

#endif
