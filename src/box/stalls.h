/*
 * Processes that compute without a call while a timer of theirs waits for one. Who looks at the
 * arena again and again learns for how long each has done so. Nothing in the arena is trusted.
 */
#ifndef STET_BOX_STALLS_H
#define STET_BOX_STALLS_H

#include <stdbool.h>

#include "arena/layout.h"

struct stalls {
	const struct arena *arena;
	struct stall *tasks; /* what was seen of them; made when first needed */
};

/* The next task from `*index` on that has been seen to do so for so many seconds, or more; false
 * when there is none. `now`: in seconds of any clock. */
bool stalls_next(struct stalls *stalls, double now, double seconds, uint32_t *index);
/* How much of its CPU time, which is `cpu` by now, it has used since it was answered first for doing
 * so. */
double stalls_computed(struct stalls *stalls, uint32_t index, double cpu);
void stalls_release(struct stalls *stalls);

#endif
