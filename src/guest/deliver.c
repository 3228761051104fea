#include "guest/deliver.h"

#include "arena/cpu_model.h"
#include "guest/code.h"
#include "guest/fpstate.h"
#include "guest/insn.h"
#include "guest/process.h"
#include "guest/report.h"
#include "guest/signal.h"
#include "guest/sys.h"

#define RED_ZONE 128
#define FLAG_TF	 0x100ull
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

/* Bytes of extended state in a frame; the kernel says so inside it. */
static size_t fpstate_bytes(uint64_t fpstate)
{
	if (!fpstate)
		return 0;
	return fpstate_has_components(fpstate) ? fpstate_software(fpstate)->extended_size
					       : FPSTATE_LEGACY;
}

/* Handlers start with the extended state of a new program. */
static void fpstate_reset(uint64_t fpstate)
{
	uint8_t *state = (uint8_t *)fpstate;
	const uint16_t control = 0x37f;
	const uint32_t mxcsr = 0x1f80;

	if (!fpstate)
		return;
	if (fpstate_has_components(fpstate))
		memset(state + FPSTATE_LEGACY, 0, 8); /* no component is in use */
	else
		memset(state, 0, FPSTATE_SOFTWARE);
	memcpy(state, &control, sizeof(control));
	memcpy(state + FPSTATE_MXCSR, &mxcsr, sizeof(mxcsr));
}

/*
 * What a frame for the program holds of the extended state: what its CPU has, so that frames are
 * the same on every host. A program that uses more of the host's CPU than its own has gets all of
 * it.
 */
#define XSTATE_KEYS	  (1ull << 9) /* protection keys: in use always, and refused to programs */
#define FP_XSTATE_MAGIC2  0x46505845u /* right behind the state */
#define XSTATE_AVX_BYTES  (XSTATE_AVX_END + sizeof(uint32_t))
#define UC_EXTENDED_STATE 1ull

static size_t shown_bytes(uint64_t fpstate)
{
	uint64_t known = cpu_model_xcr0(&process.arena->config.machine);

	if (!fpstate || cpu_is_hosts() || !fpstate_has_components(fpstate) ||
		(*fpstate_used(fpstate) & ~(known | XSTATE_KEYS)))
		return fpstate_bytes(fpstate);
	return known & XSTATE_AVX ? XSTATE_AVX_BYTES : FPSTATE_LEGACY;
}

/* The copy says of itself what it holds. */
static void show_fpstate(uint64_t to, uint64_t from, size_t bytes)
{
	const uint32_t end = FP_XSTATE_MAGIC2;

	memcpy((void *)to, (const void *)from, bytes);
	if (bytes == fpstate_bytes(from) && bytes != FPSTATE_LEGACY)
		return;
	memset(fpstate_software(to), 0, FPSTATE_LEGACY - FPSTATE_SOFTWARE);
	if (bytes == FPSTATE_LEGACY)
		return;
	*fpstate_software(to) = (struct kernel_fpstate_software){
		.magic = FP_XSTATE_MAGIC1,
		.extended_size = (uint32_t)bytes,
		.features = XSTATE_LEGACY | XSTATE_AVX,
		.xstate_size = XSTATE_AVX_END,
	};
	*fpstate_used(to) &= XSTATE_LEGACY | XSTATE_AVX;
	memcpy((void *)(to + XSTATE_AVX_END), &end, sizeof(end));
}

/* Back from such a copy into a whole one. */
static void take_fpstate(uint64_t to, uint64_t from)
{
	const uint64_t vectors = XSTATE_USED + XSTATE_HEADER;
	uint64_t keys;

	if (fpstate_bytes(from) == fpstate_bytes(to)) {
		memcpy((void *)to, (const void *)from, fpstate_bytes(to));
		return;
	}
	keys = *fpstate_used(to) & XSTATE_KEYS;
	memcpy((void *)to, (const void *)from, FPSTATE_SOFTWARE);
	*fpstate_used(to) = keys | XSTATE_LEGACY;
	if (fpstate_bytes(from) == FPSTATE_LEGACY)
		return;
	*fpstate_used(to) = keys | (*fpstate_used(from) & (XSTATE_LEGACY | XSTATE_AVX));
	memcpy((void *)(to + vectors), (const void *)(from + vectors), XSTATE_AVX_END - vectors);
}

/* Is it a copy that a frame of ours can have? */
static bool can_take(uint64_t to, uint64_t from)
{
	size_t bytes = fpstate_bytes(from);

	return bytes == fpstate_bytes(to) ||
	       (fpstate_has_components(to) &&
		       (bytes == FPSTATE_LEGACY || bytes == XSTATE_AVX_BYTES));
}

void frame_restore(struct thread *self, struct kernel_ucontext *uc)
{
	struct kernel_ucontext *from = self->sigreturn;
	uint64_t fpstate = uc->context.fpstate;
	struct fault_frame frame;

	self->sigreturn = NULL;
	if (fault_arm(&frame))
		return;
	if (from->context.fpstate && can_take(fpstate, from->context.fpstate))
		take_fpstate(fpstate, from->context.fpstate);
	uc->context = from->context;
	fault_disarm();
	uc->context.fpstate = fpstate;
}

bool on_altstack(const struct kernel_stack *stack, uint64_t rsp)
{
	return stack->size && !(stack->flags & SS_AUTODISARM) && rsp > stack->base &&
	       rsp - stack->base <= stack->size;
}

/* Where the frame goes; the extended state lies above it, aligned for XSAVE. 0: the alternate stack
 * is too small for it. */
static uint64_t frame_place(const struct thread *self, const struct kernel_sigaction *action,
	uint64_t rsp, size_t fpstate, uint64_t *fpstate_at)
{
	const struct kernel_stack *alt = &self->altstack;
	bool on = on_altstack(alt, rsp);
	uint64_t at = rsp - RED_ZONE, frame;

	if ((action->flags & SA_ONSTACK) && alt->size && !on) {
		at = alt->base + alt->size;
		on = true;
	}
	*fpstate_at = (at - fpstate) & ~63ull;
	frame = ((*fpstate_at - sizeof(struct kernel_frame)) & ~15ull) - 8;
	return on && frame - alt->base > alt->size ? 0 : frame;
}

/* A frame to be written. */
struct frame_plan {
	const struct kernel_sigaction *action;
	const struct kernel_siginfo *info;
	const struct kernel_ucontext *uc;
	sigmask_t mask; /* to be restored when the handler returns */
	uint64_t frame, fpstate;
	size_t fpstate_bytes;
};

static __attribute__((noinline)) void frame_fill(
	const struct thread *self, const struct frame_plan *plan)
{
	struct kernel_frame *frame = (struct kernel_frame *)plan->frame;

	if (plan->fpstate_bytes)
		show_fpstate(plan->fpstate, plan->uc->context.fpstate, plan->fpstate_bytes);
	frame->restorer = plan->action->restorer;
	frame->uc = *plan->uc;
	if (plan->fpstate_bytes == FPSTATE_LEGACY)
		frame->uc.flags &= ~UC_EXTENDED_STATE;
	frame->uc.link = 0;
	frame->uc.context.fpstate = plan->fpstate_bytes ? plan->fpstate : 0;
	frame->uc.stack = self->altstack;
	frame->uc.mask = plan->mask;
	frame->info = *plan->info;
}

static long frame_try(const struct thread *self, const struct frame_plan *plan)
{
	struct fault_frame fault;

	if (fault_arm(&fault))
		return -EFAULT;
	frame_fill(self, plan);
	fault_disarm();
	return 0;
}

/* The program's frame: what the kernel would have written there. 0 or -EFAULT. */
static long frame_write(struct thread *self, struct frame_plan *plan)
{
	/* In the handler of a fault, further ones are blocked and would kill. */
	const sigmask_t faults = GUEST_FAULTS;
	long r;

	plan->fpstate_bytes = shown_bytes(plan->uc->context.fpstate);
	plan->frame = frame_place(
		self, plan->action, plan->uc->context.rsp, plan->fpstate_bytes, &plan->fpstate);
	if (!plan->frame)
		return -EFAULT;
	if (SIG_BIT(plan->info->signo) & GUEST_FAULTS)
		sys(__NR_rt_sigprocmask, SIG_UNBLOCK, &faults, 0, sizeof(faults));
	r = frame_try(self, plan);
	if (SIG_BIT(plan->info->signo) & GUEST_FAULTS)
		sys(__NR_rt_sigprocmask, SIG_BLOCK, &faults, 0, sizeof(faults));
	return r;
}

void deliver_default(int signal, struct kernel_ucontext *uc)
{
	const struct kernel_sigaction action = { .handler = SIG_DFL };

	sys(__NR_rt_sigaction, signal, &action, 0, sizeof(sigmask_t));
	uc->mask &= ~SIG_BIT(signal);
}

/* Will the instruction raise it again by itself? */
static bool recurs(const struct kernel_siginfo *info)
{
	return (SIG_BIT(info->signo) & GUEST_FAULTS) && info->code > 0 && info->code != SI_KERNEL;
}

/* A signal without a handler, or whose handler is gone meanwhile: ignored ones are dropped, others
 * have their default. */
static void deliver_without_handler(struct thread *self, const struct kernel_siginfo *info,
	const struct kernel_sigaction *action, struct kernel_ucontext *uc)
{
	bool raised = (SIG_BIT(info->signo) & GUEST_FAULTS) && info->code > 0;

	uc->mask = real_mask(self->mask);
	code_denormalise(&uc->context);
	if ((action->handler == SIG_IGN && !raised) || info->signo == SIGWINCH)
		return;
	deliver_default(info->signo, uc);
	if (!recurs(info))
		sys(__NR_rt_tgsigqueueinfo, sys(__NR_getpid), sys(__NR_gettid), info->signo, info);
}

/* The program's action for a signal that is being delivered, reset when it wants that. */
static struct kernel_sigaction take_action(struct actions *actions, int signal)
{
	struct kernel_sigaction action;

	actions_lock(actions);
	action = signal_action(actions, signal);
	if (action.handler > SIG_IGN && (action.flags & SA_RESETHAND)) {
		actions->action[signal].handler = SIG_DFL;
		signal_install(signal, &actions->action[signal]);
	}
	actions_unlock(actions);
	return action;
}

/* There is no place for the frame: that is a fault of the program's. */
static void deliver_frame_fault(struct thread *self, int signal, struct kernel_ucontext *uc)
{
	const struct kernel_siginfo fault = { .signo = SIGSEGV, .code = SI_KERNEL };

	if (signal == SIGSEGV || (self->mask & SIG_BIT(SIGSEGV)))
		deliver_without_handler(self, &fault, &(struct kernel_sigaction){ 0 }, uc);
	else
		deliver(self, &fault, uc);
}

/* The mask under which the handler runs. */
static sigmask_t handler_mask(
	const struct thread *self, const struct kernel_sigaction *action, int signal)
{
	sigmask_t mask = self->has_temporary ? self->temporary : self->mask;

	mask |= action->mask;
	if (!(action->flags & SA_NODEFER))
		mask |= SIG_BIT(signal);
	return program_mask(mask);
}

void deliver(struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	int signal = info->signo;
	struct kernel_sigaction action = take_action(self->actions, signal);
	struct frame_plan plan = { &action, info, uc, self->mask, 0, 0, 0 };

	if (action.handler <= SIG_IGN) {
		self->has_temporary = false;
		deliver_without_handler(self, info, &action, uc);
		return;
	}
	/* The new mask counts from here on: a fault or a sent one may come while the frame is
	 * written. */
	self->mask = handler_mask(self, &action, signal);
	self->has_temporary = false;
	if (frame_write(self, &plan)) {
		self->mask = plan.mask;
		deliver_frame_fault(self, signal, uc);
		return;
	}
	if (self->altstack.flags & SS_AUTODISARM)
		self->altstack = (struct kernel_stack){ .flags = SS_DISABLE };

	uc->mask = real_mask(self->mask);
	uc->context.rip = action.handler;
	uc->context.rsp = plan.frame;
	uc->context.rdi = (uint64_t)signal;
	uc->context.rsi = plan.frame + offsetof(struct kernel_frame, info);
	uc->context.rdx = plan.frame + offsetof(struct kernel_frame, uc);
	uc->context.rax = 0;
	uc->context.rflags &= ~(FLAG_TF | FLAG_DF | FLAG_RF);
	fpstate_reset(uc->context.fpstate);
	if (process.reporting)
		report_signal(self, signal);
}
