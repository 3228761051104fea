/*
 * Pseudoterminals. What is written to one end comes to the other through a worker of the kernel's,
 * at no certain time, and so does what the line discipline makes of it: echoes and signals. Here
 * who reads or polls lets the worker finish first, who writes to the master waits for what the
 * slave's discipline does with it, and the signals of terminals are sent in the turn of who causes
 * them. Uses nonblocking, waits, posts and turn.
 */
#ifndef STET_GUEST_TERMINALS_H
#define STET_GUEST_TERMINALS_H

#include "guest/dispatch.h"

/* read and write, and the like, of a terminal; `run` makes the call itself. */
long terminal_read(struct thread *self, call_handler *run);
long terminal_write(struct thread *self, call_handler *run);
/* ioctl of one. */
long terminal_ioctl(struct thread *self);
/* A device with this number was opened. */
void terminal_opened(long fd, uint64_t device);
/* Closes a descriptor of one, or all that the process has when it ends. */
long terminal_close(struct thread *self, uint64_t fd);
void terminals_end(struct thread *self);
/* All that was written to the terminals that the process has open has arrived. */
void terminals_settle(struct thread *self);
/* Which of them can be read from: a sum, 0 if there are none. */
uint64_t terminals_ready(struct thread *self);

#endif
