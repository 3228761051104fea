/*
 * A switch for tests: with STET_DEBUG_DELAYS tasks sleep for random real times at random events. No
 * outcome may depend on it. Delays come from a seed, the task and how many it had so far. Uses
 * turns, so that nobody takes a sleeper for one that waits for others.
 */
#ifndef STET_GUEST_DELAYS_H
#define STET_GUEST_DELAYS_H

#include "guest/process.h"

void delay_now(struct thread *self);

/* Where time may pass, and must not matter. */
static inline void delay_here(struct thread *self)
{
	if (__builtin_expect(process.arena->config.delays != 0, 0))
		delay_now(self);
}

#endif
