/*
 * Does a thread wait in a loop, so that nothing but another one can end it? The loop is run in a
 * model (spin_run.h) until its path repeats; then it is proved that it will repeat for ever:
 *
 * - after one more period registers and memory are what they were; or
 * - all that changed are counters: they grow by a constant in each period, and nothing else depends
 *   on them, so that what they will be after any number of periods is known.
 *
 * A thread that was proved to wait is moved to a place that does not depend on when it was stopped:
 * to the lowest address that the loop visits once per period, and, if it counts, on to the period
 * in which its first counter is a multiple of a large number of periods, larger than it can have
 * run. That is a legal execution, if a fast one.
 *
 * All other threads that can write its memory must stand still meanwhile.
 */
#ifndef STET_GUEST_SPIN_EXAMINE_H
#define STET_GUEST_SPIN_EXAMINE_H

#include "guest/spin_run.h"

#define TRACE 8192 /* instructions that are run, at most: about a millisecond */

struct examination {
	struct model model, saved;
	uint32_t trace[TRACE]; /* addresses, the lower halves */
	uint16_t border[TRACE / 2 + 1];
};

/* The model has the registers of the thread. True: it waits, and the model is at its place; what
 * the model wrote is still to be written. */
bool spin_examine(struct examination *examination);

#endif
