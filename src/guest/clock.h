/*
 * Logical time: ns since the epoch of the run, one clock per process, in the arena. It moves when it
 * is looked at, when the process sleeps, and with events that others can see; never by itself. Clocks
 * meet where processes do: a child starts at its parent's time, whoever waits for a child goes on
 * after its end, and whoever looks at a file goes on after its last change. Uses the arena.
 */
#ifndef STET_GUEST_CLOCK_H
#define STET_GUEST_CLOCK_H

#include "guest/process.h"

#define NSEC_PER_SEC 1000000000ll

/* The time as it is. */
static inline uint64_t clock_now(const struct thread *self)
{
	return __atomic_load_n(self->clock, __ATOMIC_RELAXED);
}

/* It goes on by `ns`; answers the time after. */
static inline uint64_t clock_advance(struct thread *self, uint64_t ns)
{
	return __atomic_add_fetch(self->clock, ns, __ATOMIC_RELAXED);
}

/* It is at least `time`. */
static inline void clock_join(struct thread *self, uint64_t time)
{
	uint64_t now = clock_now(self);

	while (now < time && !__atomic_compare_exchange_n(self->clock, &now, time, false,
				     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

/* The program looks at the clock, or leaves a mark that it can compare later. */
static inline uint64_t clock_look(struct thread *self)
{
	const struct machine *machine = &process.arena->config.machine;

	return machine->time == TIME_STOP ? 0 : clock_advance(self, machine->step);
}

/* Logical time as seconds since 1970 and ns. */
static inline void clock_wall(uint64_t time, int64_t *seconds, int64_t *nsec)
{
	const struct machine *machine = &process.arena->config.machine;
	uint64_t sum = time + machine->epoch_nsec;

	*seconds = machine->epoch + (int64_t)(sum / NSEC_PER_SEC);
	*nsec = (int64_t)(sum % NSEC_PER_SEC);
}

#endif
