/* The container's root directory: built on the stage from the host's, then entered. */
#ifndef STET_BOX_ROOT_H
#define STET_BOX_ROOT_H

#include "box/container.h"
#include "box/launch.h"
#include "box/save.h"

/*
 * Builds the root and enters it; opens what the command process is to have, and what saving the
 * changes needs if they are to be saved.
 */
int root_build(const struct container *container, struct launch *launch, struct save_source *save,
	struct error *err);

#endif
