/*
 * A signal for the calling process: which of its threads gets it, what becomes of those that are
 * parked, and what it means for the order of events when it ends or stops the process. The kernel
 * would choose the thread by what each of them does at the moment; here it is the first one that
 * does not block the signal.
 */
#ifndef STET_GUEST_OWN_SIGNALS_H
#define STET_GUEST_OWN_SIGNALS_H

#include "guest/thread.h"

/* In its turn. `tid`: the thread that it is for; 0: the process. Answers as the kernel. */
long own_signal(struct thread *self, const struct kernel_siginfo *info, int32_t tid);

/* The calling thread goes on: what others sent to it meanwhile is there now. */
void own_signals_take(struct thread *self);

/* A signal has arrived: what its sender had to say of it, when that was another thread. */
void own_signal_arrived(struct thread *self, struct kernel_siginfo *info);
/* One that was waited for, likewise. */
void own_signal_undisguise(struct kernel_siginfo *info);

#endif
