/* Descriptors of processes. */
#ifndef STET_GUEST_PIDFDS_H
#define STET_GUEST_PIDFDS_H

#include "guest/thread.h"

/* The number of the process that the descriptor leads to: -1 when it is gone, 0 when it is no such
 * descriptor. */
int32_t pidfd_process(uint64_t fd);
/* Those of processes that have ended in logical time are ready. */
void pidfds_settle(struct thread *self);

#endif
