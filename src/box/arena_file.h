/* The memory that the container and the supervisor share. */
#ifndef STET_BOX_ARENA_FILE_H
#define STET_BOX_ARENA_FILE_H

#include "arena/layout.h"
#include "base/error.h"

struct arena_file {
	int fd;
	struct arena *arena;
};

/* Makes it, empty apart from magic, version and size. Nobody can change its length afterwards. */
int arena_file_make(struct arena_file *file, struct error *err);

void arena_file_release(struct arena_file *file);

#endif
