#include "guest/tsc.h"

#include "code/format.h"
#include "guest/clock.h"
#include "guest/clocks.h"
#include "guest/deliver.h"
#include "guest/dispatch.h"
#include "guest/report.h"

#define READ_NS 20 /* what it takes, about as on real machines */
/* Who measures in ever longer runs what it computes must come to an end: after so many looks with
 * nothing else in between each takes longer, twice as long after so many more, up to 10 us. */
#define CHEAP_LOOKS 32
#define MORE_LOOKS  8
#define DOUBLINGS   9

/* The program asked for faults of its own; code that was rewritten does not give them. */
static bool faults HOT;

void tsc_forbid(void)
{
	if (!(process.relax & RELAX_TIME))
		sys(__NR_prctl, PR_SET_TSC, PR_TSC_SIGSEGV);
}

static void read_hosts(struct regs *r, bool auxiliary)
{
	uint32_t low = 0, high = 0, aux = 0;

	if (auxiliary) {
		__asm__ volatile("rdtscp" : "=a"(low), "=d"(high), "=c"(aux));
		r->rcx = aux;
	} else {
		__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	}
	r->rax = low;
	r->rdx = high;
}

static uint64_t cost_of_look(struct thread *self)
{
	uint32_t dear = self->looks < CHEAP_LOOKS ? 0 : self->looks - CHEAP_LOOKS;
	uint32_t doublings = (dear + MORE_LOOKS - 1) / MORE_LOOKS;

	if (doublings < DOUBLINGS)
		self->looks++;
	return (uint64_t)READ_NS << doublings;
}

void tsc_read(struct thread *self, struct regs *r, bool auxiliary)
{
	uint64_t value;

	if (process.relax & RELAX_TIME) {
		read_hosts(r, auxiliary);
		return;
	}
	if (process.stopped)
		clock_stood();
	value = clock_uptime(process.stopped ? 0 : clock_advance(self, cost_of_look(self)));
	r->rax = (uint32_t)value;
	r->rdx = value >> 32;
	if (auxiliary)
		r->rcx = 0;
}

bool tsc_trapped(struct thread *self, struct kernel_ucontext *uc)
{
	const uint8_t *code = (const uint8_t *)uc->context.rip; /* it has just been fetched */
	bool auxiliary;

	if ((process.relax & RELAX_TIME) || faults || code[0] != 0x0f)
		return false;
	auxiliary = code[1] == 0x01 && code[2] == 0xf9;
	if (!auxiliary && code[1] != 0x31)
		return false;
	frame_to_regs(uc, &self->regs);
	tsc_read(self, &self->regs, auxiliary);
	self->regs.rip += auxiliary ? 3 : 2;
	frame_from_regs(&self->regs, uc);
	if (process.reporting)
		report_insn(self, auxiliary ? INSN_RDTSCP : INSN_RDTSC, self->regs.rax, true);
	return true;
}

long tsc_prctl(struct thread *self)
{
	int32_t mode = faults ? PR_TSC_SIGSEGV : PR_TSC_ENABLE;

	if (argument(self, 0) == PR_GET_TSC)
		return copy_out(argument(self, 1), &mode, sizeof(mode));
	if (argument(self, 1) != PR_TSC_ENABLE && argument(self, 1) != PR_TSC_SIGSEGV)
		return -EINVAL;
	faults = argument(self, 1) == PR_TSC_SIGSEGV;
	return 0;
}
