/*
 * Whole counts: a read or write of a regular file moves all that was asked for, or stops at the end
 * of the file or at an error, as on a disk. File systems of other machines or processes may move
 * less, whenever they like; the program does not see it. The same holds of what is written to the
 * run's own output, and of /dev/zero. Other pipes, sockets and terminals are not meant here.
 */
#ifndef STET_GUEST_WHOLE_H
#define STET_GUEST_WHOLE_H

#include "guest/dispatch.h"

/* struct iovec. */
struct part {
	uint64_t base, bytes;
};

/* Makes the call as the program asked; any of the read and write family. */
long whole_pass(struct thread *self);

#endif
