/*
 * The table of inodes, for the host's side: which file it was for the container. It uses layout.h
 * and nothing else, and believes nothing that the container may have written there.
 */
#ifndef STET_ARENA_INODES_H
#define STET_ARENA_INODES_H

#include "arena/layout.h"

/* What the container knows of the file that the kernel names so, or NULL when it never saw it. */
const struct inode *inodes_find(const struct arena *arena, uint64_t device, uint64_t number);
/* Did the run give times to any file of this device? */
int inodes_changed(const struct arena *arena, uint64_t device);

#endif
