/* Where the host has mounts: the kernel lets nobody look below them in a user namespace. */
#ifndef STET_BOX_MOUNTINFO_H
#define STET_BOX_MOUNTINFO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct mountinfo {
	char *text;   /* the points, each ended by a NUL byte */
	size_t bytes; /* all of them */
};

int mountinfo_read(struct mountinfo *mounts, struct error *err);

/* Takes the fifth field of each line, as /proc/self/mountinfo has them, in place. */
void mountinfo_parse(struct mountinfo *mounts);

/* Whether something is mounted strictly below `path`. */
bool mountinfo_below(const struct mountinfo *mounts, const char *path);

#endif
