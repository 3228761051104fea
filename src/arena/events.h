/*
 * Events, and the rings in which guests leave them for the supervisor. Layout only; part of
 * layout.h.
 */
#ifndef STET_ARENA_EVENTS_H
#define STET_ARENA_EVENTS_H

#include <stdint.h>

/*
 * An event: one intercepted system call or instruction of one task. Written by the guest when it is
 * over, read by the supervisor. seq orders events of all tasks.
 */
enum event_kind {
	EVENT_SYSCALL = 1, /* number: the call's */
	EVENT_INSN,	   /* number: enum insn_kind */
	EVENT_SIGNAL,	   /* number: signal delivered to a handler of the program */
	EVENT_START,	   /* first event of a task; number: parent's task index */
	EVENT_EXEC,	   /* a new program runs; text: its path */
	EVENT_EXIT,	   /* last event; result: status as for wait, when known */
};

enum event_flags {
	EVENT_SLOW = 1u << 0,	 /* came by the trap, not by rewritten code */
	EVENT_REFUSED = 1u << 1, /* refused by Stet */
};

struct event {
	uint64_t seq;
	uint8_t kind, flags;
	uint16_t number;
	uint32_t text_length;
	uint64_t arguments[6];
	int64_t result;
	uint64_t time;	/* logical, of the task, when it was over */
	char text[176]; /* path or other string of interest, not terminated */
};
_Static_assert(sizeof(struct event) == 256, "events fill cache lines");

/* A task's ring: head counts events written, tail events read; both only grow. */
#define RING_EVENTS 255
struct ring {
	uint64_t head;	  /* written by the guest */
	uint64_t tail;	  /* written by the supervisor; its low word is a futex */
	uint32_t waiting; /* the guest sleeps on tail */
	uint8_t pad[236];
	struct event events[RING_EVENTS];
};
#define RING_BYTES 65536
_Static_assert(sizeof(struct ring) == RING_BYTES, "a ring is 16 pages");

#endif
