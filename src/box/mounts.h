/* What the user wants to see in the container, besides the machine's own root. */
#ifndef STET_BOX_MOUNTS_H
#define STET_BOX_MOUNTS_H

#include "box/box.h"
#include "box/stage.h"

/* Makes the mounts of the configuration, in its order; host paths are absolute. */
int mounts_make(struct stage *stage, struct error *err);

#endif
