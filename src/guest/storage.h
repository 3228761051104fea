/* What programs can learn of how a file is stored: as on one plain file system, whatever lies
 * below. */
#ifndef STET_GUEST_STORAGE_H
#define STET_GUEST_STORAGE_H

#include "guest/dispatch.h"

/* ioctl on a regular file or directory. */
long storage_ioctl(struct thread *self);

#endif
