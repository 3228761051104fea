/* POSIX queues of messages beside the calls themselves: a process is told of messages no longer
 * ... */
#ifndef STET_GUEST_MESSAGE_QUEUES_H
#define STET_GUEST_MESSAGE_QUEUES_H

#include "guest/thread.h"

/* ... when it closes a descriptor of the queue, ... */
void message_queues_closing(struct thread *self, uint64_t fd);
/* ... or runs another program, which closes all of them. */
void message_queues_program(struct thread *self);

#endif
