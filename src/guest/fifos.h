/*
 * Opening FIFOs, which waits for whoever opens the other end: in turn, and parked in between. Only
 * FIFOs that were made in this run are known to be some before they are opened; others are left to
 * the kernel. Uses waits and turn.
 */
#ifndef STET_GUEST_FIFOS_H
#define STET_GUEST_FIFOS_H

#include "guest/names.h"

/* A FIFO was made. */
void fifo_made(void);
/* Would opening the name with these flags wait for another process? */
bool fifo_waits(struct name name, uint64_t flags);

/* Opens it by `open`, which is called with `what` and the flags. */
typedef long fifo_opener(const void *what, uint64_t flags);
long fifo_open(struct thread *self, fifo_opener *open, const void *what, uint64_t flags);

#endif
