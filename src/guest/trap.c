#include "guest/trap.h"

#include "code/format.h"
#include "guest/deliver.h"
#include "guest/insn.h"
#include "guest/report.h"
#include "guest/signal.h"
#include "guest/sys.h"

#define TRAP_PROTECTION 13 /* #GP: all of them raise it, with an error code of 0 */

/* Where the CPU or the hypervisor cannot do it, rewritten code alone is answered. */
void trap_start(void)
{
	if (!cpu_is_hosts())
		sys(__NR_arch_prctl, ARCH_SET_CPUID, 0);
}

/* The handler of a fault must not fault; code can be unreadable. */
static bool read_code(void *to, uint64_t rip, size_t bytes)
{
	const sigmask_t faults = GUEST_FAULTS;
	bool there;

	sys(__NR_rt_sigprocmask, SIG_UNBLOCK, &faults, 0, sizeof(faults));
	there = copy_in(to, rip, bytes) == 0;
	sys(__NR_rt_sigprocmask, SIG_BLOCK, &faults, 0, sizeof(faults));
	return there;
}

bool trap_emulate(struct thread *self, struct kernel_ucontext *uc)
{
	uint8_t code[2];

	if (uc->context.trap != TRAP_PROTECTION || uc->context.error != 0 ||
		!read_code(code, uc->context.rip, sizeof(code)))
		return false;
	if (code[0] != 0x0f || code[1] != 0xa2 || cpu_is_hosts())
		return false;
	frame_to_regs(uc, &self->regs);
	insn_cpuid(&self->regs);
	self->regs.rip += sizeof(code);
	frame_from_regs(&self->regs, uc);
	if (process.reporting)
		report_insn(self, INSN_CPUID, self->regs.rax, true);
	return true;
}
