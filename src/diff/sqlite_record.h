/* Records of an SQLite database: values, and rows as lines of text. */
#ifndef STET_DIFF_SQLITE_RECORD_H
#define STET_DIFF_SQLITE_RECORD_H

#include <stdio.h>

#include "diff/blob.h"

struct sqlite_value {
	uint64_t type; /* as in the file */
	struct blob bytes;
};

/* Goes through the values of a record. */
struct sqlite_record {
	const struct blob *blob;
	uint64_t types, types_end; /* where those of the next values are told */
	uint64_t data;
	bool bad;
};

struct sqlite_record sqlite_record_start(const struct blob *blob);
/* The next value; false behind the last, or when it is `bad`. */
bool sqlite_record_next(struct sqlite_record *record, struct sqlite_value *value);

int64_t sqlite_value_number(const struct sqlite_value *value);
/* As in SQL, on one line. */
void sqlite_value_put(FILE *out, const struct sqlite_value *value);

#endif
