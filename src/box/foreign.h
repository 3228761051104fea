/*
 * Directories of users that the container does not have. Where it has one user only, an overlay
 * cannot copy such a directory up, so nothing could be made in it. Those in which something will be
 * made are put into the layer beforehand, as the user's own.
 */
#ifndef STET_BOX_FOREIGN_H
#define STET_BOX_FOREIGN_H

#include "box/stage.h"

/* Prepares the upper directory `upper` of the overlay that will lie over the host's `path`. */
int foreign_open(struct stage *stage, const char *path, const char *upper, struct error *err);

/* Makes the directories of the host that lead from `overlay` to `path` in the upper directory. */
int foreign_make(struct stage *stage, const char *overlay, const char *path, const char *upper,
	struct error *err);

#endif
