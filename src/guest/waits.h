/*
 * Waiting in logical time, in one place. What the program waits for is tried without waiting first;
 * while other tasks run it is waited for really, for as long as natively at most; and when no other
 * task can run, or that time is over, the process's clock goes on to the end of the wait, or to the
 * next timer, whichever is first. So sleeping costs no real time as long as everybody sleeps.
 * Where turns matter, the task is parked between attempts in place of all that.
 */
#ifndef STET_GUEST_WAITS_H
#define STET_GUEST_WAITS_H

#include "guest/clock.h"
#include "guest/clocks.h"
#include "guest/sys.h"

#define NOT_READY (-1000) /* no call's answer: for attempts that need one for `nothing` */

struct wait {
	/* The call itself, waiting ns at most; NEVER: as long as it takes. */
	long (*attempt)(struct thread *self, struct wait *wait, uint64_t ns);
	uint64_t deadline;     /* logical time, or NEVER */
	long nothing;	       /* what attempt answers when the time was over */
	const sigmask_t *mask; /* the program's mask while it waits, NULL: as it is */
	uint32_t parks;	       /* enum park: what it waits for; 0: only the kernel knows */
	uint64_t streams;      /* which streams, when it waits for such; 0: any */
	bool restarts;	       /* a handler with SA_RESTART does not end it */
	long args[6];	       /* for attempt */
};

/* As the call: its answer, `nothing` when the deadline came, -EINTR when a signal did, or
 * -RESTART. */
long wait_until(struct thread *self, struct wait *wait);

/* The same for a stream, which the attempt finds NOT_READY, for as long as that takes. */
long wait_for_stream(struct thread *self, struct wait *wait);

/* As wait_until with `mask` in force, if there is one: also for signals that it lets through. */
long wait_masked(struct thread *self, struct wait *wait);

/* `wait` starts now and takes ns. */
static inline uint64_t wait_deadline(const struct thread *self, uint64_t ns)
{
	uint64_t now = clock_now(self);

	return ns > NEVER - 1 - now ? NEVER : now + ns;
}

/* What is left of it, in ns. */
static inline uint64_t wait_left(const struct thread *self, const struct wait *wait)
{
	uint64_t now = clock_now(self);

	return wait->deadline > now ? wait->deadline - now : 0;
}

#endif
