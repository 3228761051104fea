/*
 * Instructions that fault because the guest had them forbidden: those in code that was not
 * rewritten. Called by the signal layer for a fault of the program's, before the program hears of
 * it.
 */
#ifndef STET_GUEST_TRAP_H
#define STET_GUEST_TRAP_H

#include "guest/thread.h"

/* At the start of a program: an exec allows everything again. */
void trap_start(void);
/* Is the faulting instruction one of them? Then it is done, and the frame goes on behind it. */
bool trap_emulate(struct thread *self, struct kernel_ucontext *uc);

#endif
