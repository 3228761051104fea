/*
 * Calls made so that they cannot block: O_NONBLOCK is set for their duration. In the task's turn
 * nobody else asks for an open file's flags, so nobody sees it. Uses waits and turn.
 */
#ifndef STET_GUEST_NONBLOCKING_H
#define STET_GUEST_NONBLOCKING_H

#include "guest/dispatch.h"

/* Would calls on the descriptor block? */
bool descriptor_blocks(uint64_t fd);
/* The same, in turn, of one that is asked again and again: remembered until somebody changes the flags
 * of some open file, after which he says so. */
bool file_blocks(struct file *file, uint64_t fd);
void flags_changed(void);
/* Sets or clears O_NONBLOCK where descriptor_blocks said so. */
void descriptor_set_blocking(uint64_t fd, bool blocks);
/* Is it ready for these events of poll, or in error? */
bool descriptor_ready(uint64_t fd, int events);

/* The call on the descriptor in its first argument; when it would block, and may, the task is
 * parked, and tries again. */
long nonblocking_call(struct thread *self, call_handler *call);

#endif
