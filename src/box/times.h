/*
 * At the end of a run: the real files get the times that the run gave them, so that what is left on
 * disk is a function of the run too.
 */
#ifndef STET_BOX_TIMES_H
#define STET_BOX_TIMES_H

#include "box/container.h"

/* In the mounts that are written through. What cannot be set stays as it is. */
void times_leave(const struct container *container);

/* A file of the private layer, by its path inside: its times in `status` become those that the run
 * gave it. False: it gave it none, and nothing is changed. */
bool times_changed(const struct arena *arena, const char *path, struct stat *status);

#endif
