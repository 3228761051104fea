/*
 * Paths of the container while it is still on the stage: symbolic links mean what they will mean
 * inside, and nothing leads out.
 */
#ifndef STET_BOX_INSIDE_H
#define STET_BOX_INSIDE_H

#include <stddef.h>

#include "base/error.h"
#include "box/record.h"

/* Opens `path` inside, with openat2's RESOLVE_IN_ROOT. -1 with errno. */
int inside_open(const char *path, int flags);

/* The path inside, without symbolic links, of what `fd` refers to. 0, or -1 with errno. */
int inside_name(int fd, char *out, size_t size);

/*
 * An O_PATH descriptor of the mount point `path`, made when it is missing: a directory, or an empty
 * file. Its name without symbolic links is left in `name` (PATH_MAX bytes).
 */
int inside_point(
	struct record *record, const char *path, int directory, char *name, struct error *err);

#endif
