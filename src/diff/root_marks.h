/*
 * Where in the payload of a TTree those numbers are that tell where its baskets are, how they are
 * packed, and when they were made.
 */
#ifndef STET_DIFF_ROOT_MARKS_H
#define STET_DIFF_ROOT_MARKS_H

#include "diff/root_streamers.h"

struct root_mark {
	uint64_t at, bytes;
	unsigned seek_bytes; /* these are places of records, each of so many bytes; 0: sizes */
};

/* Zeroed at first; in ascending order. The list is to be freed. */
struct root_marks {
	struct root_mark *list;
	size_t count, room;
};

/* None when the payload cannot be read as an object of that class. -1 without memory. */
int root_marks_find(struct root_marks *marks, const struct root_streamers *streamers,
	const struct root_text *class, const struct blob *payload, uint32_t key_bytes);

#endif
