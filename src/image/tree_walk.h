/*
 * All that lies below a directory, in byte order of the paths, with names that stand for the same
 * file found out. Devices and sockets are left out: they are no part of an image.
 */
#ifndef STET_IMAGE_TREE_WALK_H
#define STET_IMAGE_TREE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"

struct tree_object {
	char *path; /* absolute, as seen from the root */
	struct stat status;
	size_t first; /* number of the first one that is the same file: mostly itself */
	bool opened;  /* its mode had to be changed for the moment: see tree_walk */
};

struct tree {
	int root;
	mode_t root_mode; /* when it had to be changed for the moment; or 0 */
	struct tree_object *list;
	size_t count, room;
	const struct tree_skip *skip; /* or NULL */
};

/* Which files are no part of it, nor what is in them. */
struct tree_skip {
	bool (*skips)(void *context, const struct stat *status);
	void *context;
};

/* With `open_all` the caller's own directories are made accessible until tree_release. `skip` may be NULL. */
int tree_walk(struct tree *tree, int root, bool open_all, const struct tree_skip *skip,
	struct error *err);
/* How to name it in calls that take the root's descriptor. */
const char *tree_name(const struct tree_object *object);
void tree_release(struct tree *tree);

#endif
