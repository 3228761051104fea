/*
 * The time stamp counter: logical ns since the start of the machine, so it runs at 1 GHz. rdtsc and
 * rdtscp are rewritten where code is; elsewhere (code made at run time) the kernel makes them
 * fault.
 */
#ifndef STET_GUEST_TSC_H
#define STET_GUEST_TSC_H

#include "guest/thread.h"

/* Once per container, inherited by all: from now on the instructions fault. */
void tsc_forbid(void);
/* The instruction's effect; `auxiliary`: rdtscp's, which tells the CPU too. */
void tsc_read(struct thread *self, struct regs *regs, bool auxiliary);
/* Is the faulting instruction one of them? Then it is done, and the frame goes on behind it. */
bool tsc_trapped(struct thread *self, struct kernel_ucontext *uc);
/* The program's own prctl about it. */
long tsc_prctl(struct thread *self);

#endif
