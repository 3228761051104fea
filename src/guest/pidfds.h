/* Descriptors of processes. */
#ifndef STET_GUEST_PIDFDS_H
#define STET_GUEST_PIDFDS_H

#include "guest/thread.h"

/* The number of the process that the descriptor leads to: -1 when it is gone, 0 when it is no such
 * descriptor. */
int32_t pidfd_process(uint64_t fd);
/* Those of processes that have ended in logical time are ready. */
void pidfds_settle(struct thread *self);
/* Which are: a sum, 0 if there are none. */
uint64_t pidfds_ready(struct thread *self);
/* The process is about to end, in its turn: not before the one that did so last has ended for the
 * kernel too, since epoll tells of both in the kernel's order. */
void pidfds_end(struct thread *self);

#endif
