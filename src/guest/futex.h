/*
 * Futexes: who waits for a word of memory is parked, and whoever wakes lets the longest waiting go
 * on. What an address means is the same for all who share the memory. Uses turns; with threads
 * relaxed, the kernel does it.
 */
#ifndef STET_GUEST_FUTEX_H
#define STET_GUEST_FUTEX_H

#include "guest/thread.h"

/* In its turn, the calling thread ends: locks that it holds are given up, and who waits for its end
 * is told. */
void futex_thread_ends(struct thread *self);

/* The kernel's futex, with logical limits (limits.c). */
long futex_natively(struct thread *self);

/* What lies at an address may have changed. */
void futex_forget_places(void);

#endif
