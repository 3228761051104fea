/*
 * Which of those who wait for streams must look again when one of them changed: a set of 64 bits.
 * It is a function of logical order alone, as a task that is let go on in vain goes on in logical
 * time.
 */
#ifndef STET_GUEST_STREAM_MASK_H
#define STET_GUEST_STREAM_MASK_H

#include "guest/thread.h"

#define STREAMS_ALL (~0ull)

/* What a task that waits for this descriptor is parked for. In turn. */
uint64_t stream_mask(struct thread *self, int fd);
/* Whom a change through the descriptor concerns: those who wait for its other end, and for its
 * own. */
uint64_t stream_mask_changed(struct thread *self, int fd);

#endif
