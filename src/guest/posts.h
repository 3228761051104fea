/*
 * Signals from one process of the container to another: put into the receiver's mailbox in the
 * sender's turn, taken out in the receiver's next one, where the receiver sends it to itself. So
 * the kernel's signals, and all that the guest knows of them, stay as they are, and only the moment
 * is ours. What kills, or continues who is stopped, cannot be left to the receiver.
 */
#ifndef STET_GUEST_POSTS_H
#define STET_GUEST_POSTS_H

#include "guest/thread.h"

#define POSTS_PERIOD 200000000 /* ns of logical time between looks at the mailbox, at most */

/* A child of the process in slot `parent` has ended, by the doing of the task in `from`. */
void post_child(uint32_t from, uint32_t parent, int signal, int32_t pid);
/* It was stopped, or goes on, by this signal. */
void post_child_change(uint32_t from, uint32_t parent, int32_t pid, int signal);
/* The calling task's doing gives the process in slot `index` a signal that the kernel would
 * send. */
void post_to(struct thread *self, uint32_t index, const struct posted *posted);
/* In its turn, the calling process sends itself what was sent to it. */
void posts_take(struct thread *self);

#endif
