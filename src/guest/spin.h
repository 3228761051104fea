/*
 * Threads that spin without making calls. Tasks that share memory run one at a time, and the turn
 * passes at events; one that waits for another in a loop has none. So who has waited for long asks
 * the one that runs whether it spins. The answer is found by spin_examine.h: either the task waits
 * for what only others can do, and passes its turn, at a place in its loop that does not depend on
 * the moment of the question; or it computes, and goes on as if nothing had happened.
 *
 * Uses the signal layer and turns.
 */
#ifndef STET_GUEST_SPIN_H
#define STET_GUEST_SPIN_H

#include "guest/thread.h"

/* The calling task waits for the one in slot `holder`, and has done so for a while. To be called
 * again and again: asks when it is time. Answers after how many ns of real time to call again. */
uint64_t spin_watch(uint32_t holder);
/* How long it can wait before the first such call, which is for those that wait for long. */
uint64_t spin_patience(uint32_t holder);

/* Asks the task whether it spins. */
void spin_ask(int32_t pid, int32_t tid);

/* For the signal layer: is this such a question? The answer, for a task that was interrupted in its
 * program. */
bool spin_is_question(const struct kernel_siginfo *info);
void spin_answer(
	struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc);

#endif
