/* What the guests refused during a run, in words. */
#ifndef STET_BOX_REFUSALS_H
#define STET_BOX_REFUSALS_H

#include <stddef.h>

#include "arena/layout.h"

/* A text copied from the arena, fit to be printed on one line. */
void refusals_text(const struct fatal *from, char *text, size_t size);

/* One line for the user, "" when there is nothing to tell. */
void refusals_describe(const struct arena *arena, char *text, size_t size);

#endif
