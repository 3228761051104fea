/*
 * What the user should know while a command runs: what the guests say (arena.notice), and processes
 * that compute while a timer waits for them to make a call, which init finds. Each is said once, and
 * the run goes on.
 */
#ifndef STET_BOX_NOTICES_H
#define STET_BOX_NOTICES_H

#include <stdbool.h>

#include "arena/layout.h"

struct notices {
	const struct arena *arena;
	void (*note)(const char *line); /* or NULL: nobody wants to know */
	bool told, stall_told;
};

/* To be called now and then. */
void notices_look(struct notices *notices);

#endif
