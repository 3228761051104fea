/*
 * Signals that the kernel sends because of what a task does to a terminal. They would arrive at no
 * certain time; so the task says beforehand that it causes them, each receiver drops its own and
 * says so, and the task then posts them (posts.h), all in its turn. Who does not catch a signal is
 * killed, or stopped, before the turn is over.
 */
#ifndef STET_GUEST_TERMINAL_SIGNALS_H
#define STET_GUEST_TERMINAL_SIGNALS_H

#include "guest/thread.h"

/* Around what causes the signals: `pid` is the receiver, or with a minus all of a group; `caused`:
 * it did. */
void terminal_signals_begin(int32_t pid, sigmask_t signals);
void terminal_signals_end(struct thread *self, int32_t pid, sigmask_t signals, bool caused);

/* Is anybody but the calling process meant? */
bool terminal_signals_reach_others(const struct thread *self, int32_t pid);

/* One arrived: has somebody said so? Then it is to be dropped. What was posted is made to look as
 * the kernel's own. */
bool terminal_signal_arrived(const struct thread *self, struct kernel_siginfo *info);

#endif
