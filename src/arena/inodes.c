#include "arena/inodes.h"

#include <stddef.h>

#define PROBES 65536 /* a table that the container left alone needs a few */

const struct inode *inodes_find(const struct arena *arena, uint64_t device, uint64_t number)
{
	uint32_t at = inode_place(device, number);

	for (int i = 0; i < PROBES; i++, at = (at + 1) % INODE_PLACES) {
		uint32_t entry = __atomic_load_n(&arena->inode_places[at], __ATOMIC_ACQUIRE);
		const struct inode *inode = &arena->inodes[(entry - 1) % INODES];

		if (!entry)
			return NULL;
		if ((inode->device == device && inode->number == number) ||
			(inode->other_device == device && inode->other == number))
			return inode;
	}
	return NULL;
}

int inodes_changed(const struct arena *arena, uint64_t device)
{
	uint32_t count = arena->inode_changed ? arena->inode_count : 0;

	for (uint32_t i = 0; i < count && i < INODES; i++)
		if (arena->inodes[i].device == device && (arena->inodes[i].flags & INODE_CHANGED))
			return 1;
	return 0;
}
