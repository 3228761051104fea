/*
 * Which of those who wait for streams must look again when one of them changed: a set of 64 bits.
 * What both ends of a stream give in common is theirs; who waits for several gives all of them.
 */
#ifndef STET_GUEST_STREAM_MASK_H
#define STET_GUEST_STREAM_MASK_H

#include "guest/thread.h"

#define STREAMS_ALL (~0ull)

/* For what a task that waits for the descriptor must be woken, and whom a change through it wakes. */
uint64_t stream_mask(struct thread *self, int fd);
/* Those who wait for connections to this TCP port: whoever connects to it wakes them. */
uint64_t stream_mask_of_port(uint16_t port);

#endif
