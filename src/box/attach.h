/*
 * Mounting by descriptors: what is to be seen, and where, are resolved first and attached then, so
 * that no symbolic link can lead a mount astray. Uses base only.
 */
#ifndef STET_BOX_ATTACH_H
#define STET_BOX_ATTACH_H

#include <stdbool.h>

#include "base/error.h"

/*
 * A detached copy of what lies at `path`, with all mounts below it. `readonly` holds for all of
 * them. The result is an O_PATH descriptor that attach_at takes.
 */
int attach_clone(int dirfd, const char *path, bool readonly, struct error *err);

/* Puts a detached tree over what `target` (O_PATH) refers to; `name` is for the message. */
int attach_at(int tree, int target, const char *name, struct error *err);

/* Makes what lies at `source` visible at `target`, both paths. */
int attach_path(const char *source, const char *target, bool readonly, struct error *err);

#endif
