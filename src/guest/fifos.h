/*
 * Opening FIFOs. The kernel lets who opens one end wait for somebody at the other: here the file is
 * opened in a way that does not wait, and the task stands in line until somebody has come. Uses
 * in_line.
 */
#ifndef STET_GUEST_FIFOS_H
#define STET_GUEST_FIFOS_H

#include "guest/thread.h"

/* A FIFO was made: before, no file needs to be taken for one. */
void fifo_made(void);

/* Opens what the caller knows, with these flags: a descriptor or an error. */
struct fifo_opener {
	long (*open)(const struct fifo_opener *opener, uint64_t flags);
	const void *opening;
};

/* Opens it, whatever it is, as `flags` say, but does not block in the kernel. */
long fifo_open(struct thread *self, const struct fifo_opener *opener, uint64_t flags);

#endif
