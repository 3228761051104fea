/*
 * A file that records another's time: a compiled module of Python holds the time of its source, and
 * is thrown away when that differs. Sources that were there at the start do not show the time that
 * they had when they were compiled; so those that are up to date are read with the time that is
 * shown.
 */
#ifndef STET_GUEST_PYC_H
#define STET_GUEST_PYC_H

#include "guest/names.h"

/* The file, whose name ends in .pyc, was opened for reading. */
void pyc_opened(struct thread *self, long fd, struct name name);
/* read and pread64 of a FILE_PYC. */
long pyc_read(struct thread *self);

#endif
