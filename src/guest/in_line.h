/*
 * Waiting in line for an object that is no stream: a lock, a semaphore, a queue of messages. A call
 * is tried without blocking; who finds nothing to do stands in line, and is parked. Whoever changes
 * the object lets all in its line try again, in the order in which they came, before anybody who
 * comes later: as the kernel, which serves those who wait before a change is over. Uses waits and
 * turn; the line is in the arena.
 */
#ifndef STET_GUEST_IN_LINE_H
#define STET_GUEST_IN_LINE_H

#include "guest/waits.h"

/* Which object: its kind in the upper bits, its number below. */
enum line_kind {
	LINE_SEMAPHORES = 1,
	LINE_MESSAGES, /* System V */
	LINE_QUEUE,    /* POSIX */
	LINE_LOCKS,    /* of a file */
	LINE_FIFO,     /* its other end */
};
static inline uint64_t line_object(enum line_kind kind, uint64_t number)
{
	return (uint64_t)kind << 56 | (number & ((1ull << 56) - 1));
}
/* Of the file behind a descriptor; 0: there is none. */
uint64_t line_file(enum line_kind kind, uint64_t fd);

struct line {
	uint64_t object;
	/* The call, without blocking, and whether or not a signal is there; NOT_READY: there is
	 * nothing to do. */
	long (*attempt)(struct thread *self, struct line *line);
	uint64_t deadline; /* logical time, or NEVER */
	bool restarts;	   /* as in struct wait */
	bool waited;	   /* this is not the first attempt */
	uint64_t note;	   /* set by attempt: what the task waits for in particular */
	long args[4];	   /* for attempt */
};

/* As the call, NOT_READY when the deadline came, -EINTR or -RESTART. The object is not taken to
 * have changed. */
long line_run(struct thread *self, struct line *line);

/* In its turn, the task changed the object: who waits for it tries again. */
void line_changed(struct thread *self, uint64_t object);
/* The task in slot `from` closed something, or ended: everybody tries again. */
void lines_changed(uint32_t from);
/* Those in line have tried all that they can: what the object shows now is what the kernel
 * would. */
void line_settle(struct thread *self, uint64_t object);

/* Those who stand in line, one by one: the next from slot `at` on, which goes behind it. */
struct waiter *line_next(uint64_t object, uint32_t *at);

#endif
