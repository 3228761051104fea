/*
 * Where tasks run that wait for each other. Those who hand much data to each other through pipes are
 * quickest on one core: what one has written is in its cache, nobody spins, and no sleeping core
 * has to be woken. So all such tasks meet on one core, and are bound to it while they move as much.
 * The tasks of a domain run one at a time anyway: who waits is bound to the core of the one that
 * runs. Twice a second the container's first process sets them all free, in case that one computes
 * instead, or others would rather have the core. A matter of speed alone. Uses race.
 */
#ifndef STET_GUEST_NEAR_H
#define STET_GUEST_NEAR_H

#include "guest/thread.h"

/* It moved so many bytes through a pipe. */
static inline void near_moved(struct thread *self, uint64_t bytes)
{
	self->near.moved += bytes;
}

/* It is about to wait for its turn. */
void near_wait(struct thread *self);

/* It makes a task, which is not to be bound because its maker is. */
void near_free(struct thread *self);

#endif
