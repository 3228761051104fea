/* Approximations that rewritten code computes exactly, without the guest (code/format.h). */
#ifndef STET_GUEST_EXACT_H
#define STET_GUEST_EXACT_H

#include "guest/thread.h"

/* Fills what the stubs read. */
void exact_prepare(struct exact *exact);

/* Interrupted in the middle: a frame's registers become as before the instruction, of which the
 * site says what it kept. */
void exact_undo(const struct exact *exact, uint8_t kept, uint64_t fpstate);

#endif
