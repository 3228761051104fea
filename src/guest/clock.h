/*
 * Logical time: ns since the epoch of the run, one clock per process, in the arena. It moves when
 * it is looked at, when the process sleeps, and with events that others can see; never by itself.
 * Clocks meet where processes do: a child starts soon after its parent's time, who waits for a child
 * goes on after its end, and whoever looks at a file goes on after its last change. Uses the arena.
 */
#ifndef STET_GUEST_CLOCK_H
#define STET_GUEST_CLOCK_H

#include "guest/process.h"

#define NSEC_PER_SEC  1000000000ll
#define NSEC_PER_MSEC 1000000ll
#define NSEC_PER_USEC 1000ll
#define NEVER	      (~0ull)

/* When the run starts, the machine has been up for this long. */
#define CLOCK_UP_AT_START (1000ull * NSEC_PER_SEC)

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

/* Where the process's clock is kept. */
static inline struct task *clock_owner(const struct thread *self)
{
	return (struct task *)((char *)self->clock - offsetof(struct task, clock));
}

/* It is at least `time`; the process did not compute meanwhile. */
static inline void clock_join(struct thread *self, uint64_t time)
{
	uint64_t now = clock_now(self);

	while (now < time && !__atomic_compare_exchange_n(self->clock, &now, time, false,
				     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	if (now < time)
		__atomic_add_fetch(&clock_owner(self)->idle, time - now, __ATOMIC_RELAXED);
}

/* The process's CPU time: what of its clock was not spent waiting. */
static inline uint64_t clock_cpu(const struct task *owner)
{
	uint64_t clock = __atomic_load_n(&owner->clock, __ATOMIC_RELAXED);
	uint64_t idle = __atomic_load_n(&owner->idle, __ATOMIC_RELAXED);

	return clock > idle ? clock - idle : 0;
}

/* In its turn: from now on others see it so. Between such events they cannot tell how far it is. */
static inline void clock_tell(const struct thread *self)
{
	struct task *owner = clock_owner(self);

	owner->told[0] = owner->clock;
	owner->told[1] = owner->idle;
}

/* The CPU time of a process, perhaps another one, as the calling task sees it in its turn. */
static inline uint64_t clock_cpu_seen(const struct thread *self, const struct task *owner)
{
	if (owner == clock_owner(self))
		return clock_cpu(owner);
	return owner->told[0] > owner->told[1] ? owner->told[0] - owner->told[1] : 0;
}

/* ns since the machine was started, at a logical time. */
static inline uint64_t clock_uptime(uint64_t time)
{
	return CLOCK_UP_AT_START + time;
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
