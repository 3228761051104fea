/* The container's root directory: built on the stage from the host's, then entered. */
#ifndef STET_BOX_ROOT_H
#define STET_BOX_ROOT_H

#include "box/changes.h"
#include "box/container.h"
#include "box/launch.h"

/*
 * Builds the root and enters it; opens what the command process is to have, and what is needed to
 * save or digest the changes, if they are wanted.
 */
int root_build(const struct container *container, struct launch *launch, struct changes *changes,
	struct error *err);

#endif
