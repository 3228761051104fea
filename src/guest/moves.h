/*
 * Calls that move bytes from one descriptor to another: sendfile, splice, tee and vmsplice. They
 * are tried without blocking at either end, and the task is parked between. Uses nonblocking.
 */
#ifndef STET_GUEST_MOVES_H
#define STET_GUEST_MOVES_H

#include "guest/dispatch.h"

/* The two ends of such a call, or NO_END. */
#define NO_END (~0ull)
struct move_ends {
	uint64_t in, out;
};
struct move_ends move_ends_of(struct thread *self);

/* Makes the call once it can move something. */
long move_call(struct thread *self, call_handler *call);

#endif
