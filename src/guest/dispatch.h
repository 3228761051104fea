/*
 * From a system call to its handler, by the table syscalls.def. A handler is one plain function: it
 * reads the arguments from the thread's saved registers, answers a result or -errno, and may make
 * real calls on the way; -RESTART means that a signal must be delivered first and the call made
 * again.
 */
#ifndef STET_GUEST_DISPATCH_H
#define STET_GUEST_DISPATCH_H

#include "guest/sys.h"

typedef long call_handler(struct thread *self);

/* The n-th argument of the call, from 0. */
static inline uint64_t argument(const struct thread *self, int n)
{
	const struct regs *r = &self->regs;
	const uint64_t all[6] = { r->rdi, r->rsi, r->rdx, r->r10, r->r8, r->r9 };

	return all[n];
}

/* Makes the call as the program asked. */
long pass_on(struct thread *self);

/* The call is refused with this errno (negative), and the user is told. */
long refuse_call(struct thread *self, long error);

/* Runs the call in the saved registers and leaves the result there. */
void dispatch(struct thread *self);

/* Once per container: which calls go straight to the kernel (arena.pass). None when every call is
 * reported. */
void pass_fill(void);

#endif
