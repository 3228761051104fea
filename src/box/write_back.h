/*
 * Writes what a run changed in mounts that were held back (BOX_MOUNT_HELD) to the host's
 * directories: as the run would have left them, had it changed them itself. Each file is replaced
 * as a whole. Sockets are left out.
 */
#ifndef STET_BOX_WRITE_BACK_H
#define STET_BOX_WRITE_BACK_H

#include "box/changes.h"

/* In init, when no other process is left in the container. */
int write_back(const struct changes *changes, struct error *err);

#endif
