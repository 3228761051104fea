/* Tells the guest about the container's mounts: which directories hold mount points, since what
 * they list there is what lies below; and whether a file system can move less than it is asked
 * to. */
#ifndef STET_BOX_MOUNTPOINTS_H
#define STET_BOX_MOUNTPOINTS_H

#include "arena/layout.h"
#include "base/error.h"

/* Inside the container, when all is mounted. */
int mountpoints_tell(struct arena_config *config, struct error *err);

#endif
