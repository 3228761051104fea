/*
 * What came after the fixed kernel in calls that it has: newer.def. Uses the saved registers only.
 */
#ifndef STET_GUEST_NEWER_H
#define STET_GUEST_NEWER_H

#include "guest/thread.h"

/* Has this call something that is newer? */
bool newer_concerns(uint32_t number);
/* 0, or the error of the fixed kernel (negative) for the call in the saved registers. */
long newer_refusal(const struct thread *self, uint32_t number);

#endif
