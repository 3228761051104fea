/* The list of final files that a run gives (box.h, doc/digest.md), file by file. */
#ifndef STET_CLI_LISTING_H
#define STET_CLI_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "box/box.h"

struct listed {
	enum box_deed deed;
	char *path; /* these two as they are, without escapes */
	char *target;
	char type; /* as in the list; 0: deleted */
	unsigned mode, uid, gid;
	uint64_t size;
	char hash[HASH_TEXT]; /* of regular files; "": it may not be read */
};

/*
 * Takes the file at *listing and moves on to the next. 0 at the end, -1 when the list is not one, or
 * without memory. A file is good until the next call with the same `file`, zeroed at first, which
 * also frees it at the end.
 */
int listing_next(const char **listing, struct listed *file);

#endif
