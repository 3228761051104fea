#include "guest/deliver.h"

#include "guest/code.h"
#include "guest/process.h"
#include "guest/report.h"
#include "guest/signal.h"
#include "guest/sys.h"

#define RED_ZONE 128
#define FLAG_TF	 0x100ull
#define FLAG_DF	 0x400ull
#define FLAG_RF	 0x10000ull

void frame_to_regs(const struct kernel_ucontext *uc, struct regs *r)
{
	const struct kernel_sigcontext *c = &uc->context;

	*r = (struct regs){ c->rax, c->rbx, c->rcx, c->rdx, c->rsi, c->rdi, c->rbp, c->rsp, c->r8,
		c->r9, c->r10, c->r11, c->r12, c->r13, c->r14, c->r15, c->rip, c->rflags };
}

void frame_from_regs(const struct regs *r, struct kernel_ucontext *uc)
{
	struct kernel_sigcontext *c = &uc->context;

	c->rax = r->rax;
	c->rbx = r->rbx;
	c->rcx = r->rcx;
	c->rdx = r->rdx;
	c->rsi = r->rsi;
	c->rdi = r->rdi;
	c->rbp = r->rbp;
	c->rsp = r->rsp;
	c->r8 = r->r8;
	c->r9 = r->r9;
	c->r10 = r->r10;
	c->r11 = r->r11;
	c->r12 = r->r12;
	c->r13 = r->r13;
	c->r14 = r->r14;
	c->r15 = r->r15;
	c->rip = r->rip;
	c->rflags = r->rflags;
}

static struct kernel_fpstate_software *software(uint64_t fpstate)
{
	return (struct kernel_fpstate_software *)(fpstate + FPSTATE_SOFTWARE);
}

/* Bytes of extended state in a frame; the kernel says so inside it. */
static size_t fpstate_bytes(uint64_t fpstate)
{
	if (!fpstate)
		return 0;
	if (software(fpstate)->magic == FP_XSTATE_MAGIC1)
		return software(fpstate)->extended_size;
	return FPSTATE_LEGACY;
}

/* Handlers start with the extended state of a new program. */
static void fpstate_reset(uint64_t fpstate)
{
	uint8_t *state = (uint8_t *)fpstate;
	const uint16_t control = 0x37f;
	const uint32_t mxcsr = 0x1f80;

	if (!fpstate || software(fpstate)->magic != FP_XSTATE_MAGIC1)
		return;
	memcpy(state, &control, sizeof(control));
	memcpy(state + 24, &mxcsr, sizeof(mxcsr));
	memset(state + FPSTATE_LEGACY, 0, 8); /* no component is in use */
}

void frame_restore(struct thread *self, struct kernel_ucontext *uc)
{
	struct kernel_ucontext *from = self->sigreturn;
	uint64_t fpstate = uc->context.fpstate;
	struct fault_frame frame;

	self->sigreturn = NULL;
	if (fault_arm(&frame))
		return;
	if (from->context.fpstate && fpstate_bytes(from->context.fpstate) == fpstate_bytes(fpstate))
		memcpy((void *)fpstate, (void *)from->context.fpstate, fpstate_bytes(fpstate));
	uc->context = from->context;
	fault_disarm();
	uc->context.fpstate = fpstate;
}

static bool on_altstack(const struct kernel_stack *stack, uint64_t rsp)
{
	return !(stack->flags & SS_AUTODISARM) && rsp > stack->base &&
	       rsp - stack->base <= stack->size;
}

/* Where the frame goes; the extended state lies above it, aligned for XSAVE. */
static uint64_t frame_place(const struct thread *self, const struct kernel_sigaction *action,
	uint64_t rsp, size_t fpstate, uint64_t *fpstate_at)
{
	const struct kernel_stack *alt = &self->altstack;
	uint64_t at = rsp - RED_ZONE;

	if ((action->flags & SA_ONSTACK) && alt->size && !on_altstack(alt, rsp))
		at = alt->base + alt->size;
	at = (at - fpstate) & ~63ull;
	*fpstate_at = at;
	return ((at - sizeof(struct kernel_frame)) & ~15ull) - 8;
}

/* The program's frame: what the kernel would have written there. 0 or -EFAULT. */
static long frame_write(struct thread *self, const struct kernel_sigaction *action,
	const struct kernel_siginfo *info, const struct kernel_ucontext *uc, uint64_t *at)
{
	size_t bytes = fpstate_bytes(uc->context.fpstate);
	uint64_t fpstate;
	struct kernel_frame *frame;
	struct fault_frame fault;

	*at = frame_place(self, action, uc->context.rsp, bytes, &fpstate);
	frame = (struct kernel_frame *)*at;
	if (fault_arm(&fault))
		return -EFAULT;
	memcpy((void *)fpstate, (const void *)uc->context.fpstate, bytes);
	frame->restorer = action->restorer;
	frame->uc = *uc;
	frame->uc.link = 0;
	frame->uc.context.fpstate = bytes ? fpstate : 0;
	frame->uc.stack = self->altstack;
	frame->uc.mask = self->mask;
	frame->info = *info;
	fault_disarm();
	return 0;
}

void deliver_default(int signal, struct kernel_ucontext *uc)
{
	const struct kernel_sigaction action = { .handler = SIG_DFL };

	sys(__NR_rt_sigaction, signal, &action, 0, sizeof(sigmask_t));
	uc->mask &= ~SIG_BIT(signal);
}

/* A signal whose handler is gone meanwhile: ignored ones are dropped, others have their default. */
static void deliver_without_handler(struct thread *self, const struct kernel_siginfo *info,
	const struct kernel_sigaction *action, struct kernel_ucontext *uc)
{
	uc->mask = real_mask(self->mask);
	code_denormalise(&uc->context);
	if (action->handler == SIG_IGN &&
		(info->code <= 0 || !(SIG_BIT(info->signo) & GUEST_SIGNALS)))
		return;
	deliver_default(info->signo, uc);
	if (info->code <= 0 || !(SIG_BIT(info->signo) & GUEST_SIGNALS))
		sys(__NR_rt_tgsigqueueinfo, sys(__NR_getpid), sys(__NR_gettid), info->signo, info);
}

void deliver(struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	int signal = info->signo;
	struct kernel_sigaction action;
	sigmask_t mask = self->has_temporary ? self->temporary : self->mask;
	uint64_t frame;

	actions_lock(self->actions);
	action = signal_action(self->actions, signal);
	if (action.handler > SIG_IGN && (action.flags & SA_RESETHAND)) {
		const struct kernel_sigaction reset = { .handler = SIG_DFL };

		self->actions->action[signal] = reset;
		signal_install(signal, &reset);
	}
	actions_unlock(self->actions);

	self->has_temporary = false;
	if (action.handler <= SIG_IGN) {
		deliver_without_handler(self, info, &action, uc);
		return;
	}
	if (frame_write(self, &action, info, uc, &frame)) {
		struct kernel_siginfo none = { .signo = SIGSEGV, .code = SI_KERNEL };

		deliver_without_handler(self, &none, &(struct kernel_sigaction){ 0 }, uc);
		sys(__NR_tkill, sys(__NR_gettid), SIGSEGV);
		return;
	}
	if (self->altstack.flags & SS_AUTODISARM)
		self->altstack = (struct kernel_stack){ .flags = SS_DISABLE };
	mask |= action.mask;
	if (!(action.flags & SA_NODEFER))
		mask |= SIG_BIT(signal);
	self->mask = program_mask(mask);

	uc->mask = real_mask(self->mask);
	uc->context.rip = action.handler;
	uc->context.rsp = frame;
	uc->context.rdi = (uint64_t)signal;
	uc->context.rsi = frame + offsetof(struct kernel_frame, info);
	uc->context.rdx = frame + offsetof(struct kernel_frame, uc);
	uc->context.rax = 0;
	uc->context.rflags &= ~(FLAG_TF | FLAG_DF | FLAG_RF);
	fpstate_reset(uc->context.fpstate);
	if (process.reporting)
		report_signal(self, signal);
}
