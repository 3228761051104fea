/*
 * Turns: events that other tasks can see happen one after the other, in an order that is a function
 * of logical time alone. A task in the race holds back all that are later than it. One that waits
 * for others is parked: out of the race until one of them lets it go on, or its deadline comes. One
 * that blocks in the kernel where the guest cannot tell for what is away, and holds nobody back.
 *
 * Logical time is cut into quanta. Within a quantum, tasks act in the order of their births, each
 * until it comes to the quantum's end or parks: so the turn passes once per quantum, not once per
 * event.
 *
 * A task that died in the race, or sleeps in the kernel in its own turn, is found by who waits for
 * it.
 */
#ifndef STET_GUEST_TURN_H
#define STET_GUEST_TURN_H

#include "guest/process.h"

#define EVENT_COST 10000 /* ns of logical time that an event takes, with what is computed between */
#define BIRTH_COST 300000 /* and a new process or program */

/* What a parked task waits for: bits, so that one wake can be for several. */
enum park {
	PARK_CHILD = 1u << 0,  /* the end, stop or going on of a child */
	PARK_STREAM = 1u << 1, /* a pipe, socket or the like */
	PARK_SIGNAL = 1u << 2, /* a signal */
	PARK_BIRTH = 1u << 3,  /* a vfork's child to be a program of its own, or to end */
};

static inline bool turns_matter(void)
{
	return !(process.relax & RELAX_ORDER);
}

/* A task enters the race at the calling task's time: before it is born. */
void turn_enter(struct thread *self, uint32_t index);
/* A program begins: the task shares memory with nobody. */
void turn_begin(struct thread *self);
/* It will never act again. */
void turn_quit(uint32_t index);

/* Where in the order an event of the calling task is. */
struct place {
	uint64_t quantum, birth;
};
struct place turn_place(struct thread *self);
/* May it act right now? Others are told how far it is. */
bool turn_is_first(struct thread *self);

/* Waits until the calling task may act. */
void turn_take(struct thread *self);
/* What it did, in its turn or not, took `cost` ns of logical time; others may be next. */
void turn_leave(struct thread *self, uint64_t cost);

/* In its turn, the task found nothing to do. Returns in its turn, when it has been let go on
 * (true), a signal came for it (true), or the logical time `deadline` did (false). */
bool turn_park(struct thread *self, uint32_t what, uint64_t deadline);
/* In its turn, the task in slot `from` changed what others may wait for: all of them, or the one in
 * `index`. */
void turn_wake(uint32_t from, uint32_t what);
void turn_wake_one(uint32_t from, uint32_t what, uint32_t index);

/* A park without a deadline, around a call that blocks in the kernel for the same reason. */
void turn_park_begin(struct thread *self, uint32_t what);
void turn_park_end(struct thread *self, bool failed);

/* Around a call that may block in the kernel for as long as others please; comes back in turn. */
void turn_away(struct thread *self);
void turn_back(struct thread *self);

/* Is the task away? */
bool turn_is_away(uint32_t index);

/* Around a wait for the supervisor, during which the turn stays where it is. */
void turn_hold(struct thread *self);
void turn_release(struct thread *self);

/* The process is ending, by another thread. */
void turn_wait_for_end(struct thread *self);

/* A signal arrived while the task was parked: it looks again. */
void turn_nudge(struct thread *self);

#endif
