/* What a later run looked at that its bundle does not have. Uses box's looks. */
#ifndef STET_BUNDLE_REPORT_H
#define STET_BUNDLE_REPORT_H

#include "box/looks.h"
#include "bundle/index.h"

/* Zeroed at first. */
struct unknown {
	struct {
		char *path;
		const char *wanted; /* "looked up", "read" or "listed" */
	} * list;		    /* sorted by path */
	size_t count;
};

int unknown_find(struct unknown *unknown, const struct bundle_index *index,
	const struct looks *looks, struct error *err);
void unknown_release(struct unknown *unknown);

#endif
