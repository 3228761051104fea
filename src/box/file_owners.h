/*
 * Who owns files, as programs see it: the host tells the guests who owns those of the image
 * (arena/file_owners.h), and learns from them what has become of that.
 */
#ifndef STET_BOX_FILE_OWNERS_H
#define STET_BOX_FILE_OWNERS_H

#include <sys/stat.h>

#include "arena/layout.h"
#include "box/box.h"

/* Before the container runs. */
int file_owners_tell(const struct box_config *config, struct arena *arena, struct error *err);
/* In the container: has it all users, or only the one that it is run as? */
void file_owners_note_ids(struct arena_config *arena);

/*
 * Puts the owner that programs see into the status of a file in the private layer, or of the initial
 * file at the same place. `inode` is what the guests know of it; NULL: nothing, so it is as it was
 * at the start.
 */
void file_owners_show(const struct arena *arena, const char *path, const struct inode *inode,
	struct stat *status);

#endif
