/* Writes what a run created or changed as a tar, which is a layer of an OCI image; see save_list.h. */
#ifndef STET_BOX_SAVE_TAR_H
#define STET_BOX_SAVE_TAR_H

#include "box/changes.h"

/* `name` says how it is compressed. No other process may run in the container. */
int save_tar_write(const struct changes *changes, const char *name, int fd, struct error *err);

#endif
