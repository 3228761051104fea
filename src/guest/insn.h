/*
 * Instructions other than `syscall` that the guest answers, once for rewritten code (insn.c) and
 * for what traps (trap.c): each changes the program's registers as the instruction would.
 */
#ifndef STET_GUEST_INSN_H
#define STET_GUEST_INSN_H

#include "guest/process.h"

/* Do programs see the host's own CPU? */
static inline bool cpu_is_hosts(void)
{
	return (process.relax & RELAX_CPU) || process.arena->config.machine.cpu == CPU_HOST;
}

void insn_cpuid(struct regs *r);

#endif
