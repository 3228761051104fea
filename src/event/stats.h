/* What a run amounts to: the table that `--stats` prints. Uses arena; trusts none of its
 * numbers. */
#ifndef STET_EVENT_STATS_H
#define STET_EVENT_STATS_H

#include <stdio.h>

#include "arena/layout.h"

/* Prints lines that begin with "stet: ". Call it when the container has ended, for the last
 * time after so many restarts. */
void stats_print(FILE *out, const struct arena *arena, unsigned restarts);

#endif
