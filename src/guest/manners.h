/*
 * Threads that compile for the others of their program, as a Java machine has them. Turns are by
 * events, and such threads compute for long between theirs: in turn, they would get most of the
 * time, while the program waits for them; and where that computes and makes hardly any event, they
 * would get none, while it runs the slow code that they are there to replace. Natively both have
 * their share of a core. So those that are known by the name that they take have manners of their
 * own; there is no other way to tell. Uses race.
 */
#ifndef STET_GUEST_MANNERS_H
#define STET_GUEST_MANNERS_H

#include "guest/thread.h"

enum manner {
	MANNER_PLAIN = 0,
	MANNER_EAGER,	/* runs as soon as it is woken, and who woke it goes on when it waits */
	MANNER_PATIENT, /* so too while it uses little; beyond that it takes short turns */
};

/* The calling task has another name. */
void manner_by_name(struct thread *self);

/* A program begins: what it was called before is forgotten. */
void manner_forget(struct thread *self);

/* In turn: is the task to run as soon as another one of its domain wakes it? */
bool manner_is_urgent(uint32_t index);

/* The calling task, of this domain, made the call `number`, which concerns nobody else. Should others
 * run now? Where nobody has manners, that is for logical time alone to say. */
bool manner_lets_others(struct thread *self, struct domain *domain, uint32_t number);

#endif
