/* Who waits for which futex, and since when. All in turn. */
#ifndef STET_GUEST_FUTEX_QUEUE_H
#define STET_GUEST_FUTEX_QUEUE_H

#include "guest/futex_place.h"

/* The calling task waits from now on; `then`: it may be moved to that lock. */
void queue_enter(
	struct thread *self, const struct place *place, uint32_t bits, const struct place *then);
void queue_leave(struct thread *self);
bool queue_waits(const struct thread *self);
bool queue_was_woken(const struct thread *self);

/* Who waits longest, or NO_TASK; and whether it may be moved to that lock. */
uint32_t queue_first(const struct place *place);
bool queue_is_for(uint32_t index, const struct place *then);
uint32_t queue_length(const struct place *place);

/* Lets at most `count` go on, or wait for another one: how many those were. */
long queue_wake(struct thread *self, const struct place *place, uint32_t count, uint32_t bits);
long queue_move(const struct place *from, const struct place *to, uint32_t count);

#endif
