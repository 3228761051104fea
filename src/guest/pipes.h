/*
 * Pipes and FIFOs in turn. A call takes or puts what it can at once, by the kernel's own rules for
 * a descriptor that does not block; only when that is nothing does the task park. So how much a
 * call moves is a function of the order of calls alone, and capacity, atomic writes and packets are
 * the kernel's. Uses waits and turn.
 */
#ifndef STET_GUEST_PIPES_H
#define STET_GUEST_PIPES_H

#include "guest/dispatch.h"

/* The read and write families, on the pipe in the first argument. */
long pipe_read(struct thread *self);
long pipe_write(struct thread *self);
/* fcntl with F_SETPIPE_SZ. */
long pipe_resize(struct thread *self);

#endif
