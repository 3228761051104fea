/* Notices of changes to files, as read from an inotify descriptor. */
#ifndef STET_GUEST_INOTIFY_H
#define STET_GUEST_INOTIFY_H

#include "guest/dispatch.h"

/* read and readv on such a descriptor. */
long inotify_read(struct thread *self);
long inotify_read_vector(struct thread *self);

#endif
