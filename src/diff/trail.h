/* The way to an object, from the root of all, for reports. */
#ifndef STET_DIFF_TRAIL_H
#define STET_DIFF_TRAIL_H

#include <stdbool.h>
#include <string.h>

#include "diff/node.h"

struct trail {
	const struct trail *up; /* NULL at the root */
	const struct node *node;
};

/* A directory at the root has no name of its own. */
static inline bool trail_is_named(const struct trail *trail)
{
	return trail->up || strcmp(trail->node->name, ".") != 0;
}

#endif
