/* User and group ids of the container: the maps of its user namespace. */
#ifndef STET_BOX_IDS_H
#define STET_BOX_IDS_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

/* May this process give a container every id that it has itself? Root may, unless somebody took the
 * capabilities for that away. */
bool ids_all(void);

/*
 * Writes the maps of the user namespace of `pid`, from outside. Root gives every id that it has
 * itself, so that owners of files show and chown works; anybody else has one user and one group,
 * which appear inside as `uid` and `gid`.
 */
int ids_map(pid_t pid, uid_t uid, gid_t gid, struct error *err);

/* Turns the extents of one's own map into those of a child that has the same ids; "" if none. */
void ids_identity_map(const char *own, char *out, size_t size);

#endif
