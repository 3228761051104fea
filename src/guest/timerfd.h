/*
 * Timers behind descriptors, in logical time. The descriptor leads to an eventfd, which reads,
 * polls and is passed on as a timerfd does; what is armed is kept in the arena by the eventfd's
 * number, and passes of the deadline are written into it by whoever has the descriptor and comes
 * first.
 */
#ifndef STET_GUEST_TIMERFD_H
#define STET_GUEST_TIMERFD_H

#include "guest/sys.h"

/* Is it such a descriptor? Then its place in the arena's table + 1; else 0. */
uint32_t timerfd_place(uint64_t fd);
/* read() and readv() of one. */
long timerfd_read(struct thread *self);
long timerfd_read_vector(struct thread *self);
/* In its turn, the process makes those fire whose time has come by its clock. */
void timer_files_settle(struct thread *self);

#endif
