/*
 * What the user should know while a command runs: what the guests say (arena.notice), and processes
 * that compute while a timer waits for them to make a call. Each is said once, and the run goes on.
 */
#ifndef STET_BOX_NOTICES_H
#define STET_BOX_NOTICES_H

#include <stdbool.h>

#include "arena/layout.h"

struct notices {
	const struct arena *arena;
	void (*note)(const char *line); /* or NULL: nobody wants to know */
	bool told, stall_told;
	double next;	     /* when to look at the tasks */
	struct stall *tasks; /* what was seen of them; made when first needed */
};

/* To be called now and then; `now` in seconds of any clock. */
void notices_look(struct notices *notices, double now);
void notices_release(struct notices *notices);

#endif
