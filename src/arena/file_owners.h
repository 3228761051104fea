/*
 * Who owns the image's files, for programs, where the kernel cannot say it: a table in the arena, by
 * the numbers of files that programs see (numbers.h). These follow from the files' names at the
 * start, and a file keeps its number whatever happens to it. Filled before the container runs.
 * Freestanding.
 */
#ifndef STET_ARENA_FILE_OWNERS_H
#define STET_ARENA_FILE_OWNERS_H

#include "arena/layout.h"

#define FILE_OWNER_PROBES 4096 /* at most half of the table is used: it takes a few */

/* Where the file is noted, or would be: an index. FILE_OWNER_PLACES: nowhere; for a table that was
 * left alone this does not happen. */
static inline uint32_t file_owner_place(const struct arena *arena, uint64_t number)
{
	for (uint32_t i = 0; i < FILE_OWNER_PROBES; i++) {
		uint32_t at = (uint32_t)(number + i) % FILE_OWNER_PLACES;

		if (!arena->file_owners[at].number || arena->file_owners[at].number == number)
			return at;
	}
	return FILE_OWNER_PLACES;
}

/* 0: the file belongs to root, as most do. */
static inline const struct file_owner *file_owner_find(const struct arena *arena, uint64_t number)
{
	uint32_t at = FILE_OWNER_PLACES;

	if (arena->config.file_owners)
		at = file_owner_place(arena, number);
	return at < FILE_OWNER_PLACES && arena->file_owners[at].number ? &arena->file_owners[at]
								       : 0;
}

#endif
