/*
 * Turns: events that other tasks can see happen one after the other, in an order that is a function
 * of logical time alone. A task that waits for others is parked: out of the race until one of them
 * lets it go on, or its deadline comes. One that blocks in the kernel where the guest cannot tell
 * for what is away, and holds nobody back.
 *
 * Logical time is cut into quanta. Within a quantum, domains (race.h) act in the order of their
 * births, each until it comes to the quantum's end or parks: so the turn passes once per quantum,
 * not once per event. Likewise the tasks of a domain: each runs until it makes an event beyond the
 * quantum, or parks; between events it runs alone, so that what it does to the memory they share
 * has one outcome.
 *
 * A task that died in the race, or sleeps in the kernel in its own turn, is found by who waits for
 * it (holders.h).
 */
#ifndef STET_GUEST_TURN_H
#define STET_GUEST_TURN_H

#include "guest/process.h"

#define EVENT_COST  10000  /* ns of logical time: an event, with what is computed before */
#define BIRTH_COST  100000 /* and a new process */
#define BEGIN_COST  300000 /* and a new program */
#define THREAD_COST 20000  /* and a new thread */
#define LOCAL_COST  1000   /* and a call that concerns nobody else */
#define SPIN_COST   200000 /* and spinning until others are let run */

/* What a parked task waits for: bits, so that one wake can be for several. */
enum park {
	PARK_CHILD = 1u << 0,  /* the end, stop or going on of a child */
	PARK_STREAM = 1u << 1, /* a pipe, socket or the like */
	PARK_SIGNAL = 1u << 2, /* a signal */
	PARK_BIRTH = 1u << 3,  /* a vfork's child to be a program of its own, or to end */
	PARK_FUTEX = 1u << 4,
	PARK_SPIN = 1u << 5,   /* that another task of its domain changes memory */
	PARK_STILL = 1u << 6,  /* with the former: and it has changed none itself since it ran */
	PARK_LINE = 1u << 7,   /* a lock, semaphore, queue or the other end of a FIFO (in_line.h) */
	PARK_OUTPUT = 1u << 8, /* that nobody outside reads its output any more: besides others */
};

static inline bool turns_matter(void)
{
	return !(process.relax & RELAX_ORDER);
}

/* Do threads run one at a time? Where real time decides what they do, there is no use in it. */
static inline bool threads_matter(void)
{
	return !(process.relax & (RELAX_ORDER | RELAX_THREADS | RELAX_TIME));
}

/* A task enters the race at the calling task's time: before it is born. `shares`: the caller's
 * memory. */
void turn_enter(struct thread *self, uint32_t index, bool shares);
/* It is born: returns when it may run. */
void turn_born(struct thread *self);
/* A program begins in the process of the task `index`, which may have been executed by another of
 * its threads; then: it shares memory with nobody. */
void turn_succeed(struct thread *self, uint32_t index);
void turn_begin(struct thread *self);
/* It will never act again. */
void turn_quit(uint32_t index);

/* Are there others in its domain? */
bool turn_is_shared(struct thread *self);

/* Where in the order an event of the calling task is. */
struct turn_place {
	uint64_t quantum, birth;
};
struct turn_place turn_place(struct thread *self);
/* May it act right now? Others are told how far it is. */
bool turn_is_first(struct thread *self);

/* Waits until the calling task may act. */
void turn_take(struct thread *self);
/* What it did, in its turn or not, took `cost` ns of logical time; others may be next. */
void turn_leave(struct thread *self, uint64_t cost);
/* The task made a call that took time and that nobody else can see: not in its turn. */
void turn_tick(struct thread *self, uint32_t number, uint64_t cost);
/* In its turn: let the other tasks of the domain run before it goes on. */
void turn_yield(struct thread *self);

/* In its turn, the task found nothing to do. Returns in its turn, when it has been let go on
 * (true), a signal came for it (true), or the logical time `deadline` did (false). */
bool turn_park(struct thread *self, uint32_t what, uint64_t deadline);
/* The next park is for these streams only: bits that stream_mask gives. */
void turn_watch(struct thread *self, uint64_t streams);
/* In its turn, the task in slot `from` changed what others may wait for: all of them, or the one in
 * `index`, or those of a process, or those that wait for one of these streams. */
void turn_wake(uint32_t from, uint32_t what);
void turn_wake_one(uint32_t from, uint32_t what, uint32_t index);
void turn_wake_process(uint32_t from, uint32_t what, uint32_t owner);
void turn_wake_streams(uint32_t from, uint64_t streams);

/* Behind a vfork, during which the kernel kept the task: its child parked it when it was born, and
 * not before, so that no other thread changed what the child was made from. */
void turn_borne(struct thread *self);

/* Around a call that may block in the kernel for as long as others please; comes back in turn. */
void turn_away(struct thread *self);
void turn_back(struct thread *self);

/* Is the task away? */
bool turn_is_away(uint32_t index);

/* The calling process is about to be stopped by a signal. Is the one of the task `index`, its
 * first? It goes on, by the doing of the caller. */
void turn_stop(struct thread *self);
bool turn_is_stopped(uint32_t index);
void turn_continue(struct thread *self, uint32_t index);

/* The file is mapped by the calling task so that it can be changed and others see it: who else does
 * that belongs to its domain. In its turn. */
void turn_share(struct thread *self, uint64_t device, uint64_t number);
/* Has somebody so mapped it? In turn. */
bool turn_is_changed(uint64_t device, uint64_t number);

/* Around a wait for the supervisor, during which the turn stays where it is. */
void turn_hold(struct thread *self);
void turn_release(struct thread *self);

/* The process is ending, by another thread. */
void turn_wait_for_end(struct thread *self);

/* A signal arrived while the task was parked: it looks again. */
void turn_nudge(struct thread *self);

#endif
