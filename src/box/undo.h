/*
 * Puts the host's directories back as they were before a run that is to be started again, by the
 * records that the guests left (arena/undo.h), the last one first. The container could have written
 * anything there: paths are followed below the mounts only, and not through symbolic links. Uses
 * arena and base.
 */
#ifndef STET_BOX_UNDO_H
#define STET_BOX_UNDO_H

#include "arena/layout.h"
#include "box/box.h"

/* To be called when nothing of the container is left. Fails when something could not be put back;
 * then the rest is as the run left it. */
int undo_all(const struct box_config *config, const struct arena *arena, int arena_fd,
	struct error *err);

#endif
