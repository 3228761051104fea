#include "guest/signal.h"

#include "guest/code.h"
#include "guest/deliver.h"
#include "guest/dispatch.h"
#include "guest/own_signals.h"
#include "guest/process.h"
#include "guest/spin.h"
#include "guest/terminal_signals.h"
#include "guest/timers.h"
#include "guest/trap.h"
#include "guest/tsc.h"
#include "guest/turn.h"

#define TRAP_TRACE 2 /* SIGTRAP's code for a single step */

/* From begin up to, not including, end. */
static bool within(uint64_t address, const char *begin, const char *end)
{
	return address >= (uint64_t)begin && address < (uint64_t)end;
}

static bool in_guest(uint64_t rip)
{
	return within(rip, guest_stub_page, guest_code_end);
}

bool signal_block_all(struct thread *self)
{
	sigmask_t all = ~GUEST_SIGNALS;

	sys(__NR_rt_sigprocmask, SIG_SETMASK, &all, 0, sizeof(all));
	return self->pending;
}

void signal_unblock(struct thread *self)
{
	sigmask_t mask = real_mask(self->mask);

	if (!self->pending)
		sys(__NR_rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof(mask));
}

static int held_index(int signal)
{
	return signal == SIGSYS ? 0 : signal == SIGSEGV ? 1 : signal == SIGBUS ? 2 : 3;
}

/* As the kernel does with a blocked signal: the first one counts. */
static void hold(struct thread *self, const struct kernel_siginfo *info)
{
	if (self->held & SIG_BIT(info->signo))
		return;
	self->held_info[held_index(info->signo)] = *info;
	self->held |= SIG_BIT(info->signo);
}

/* Keeps the signal until the guest is left; until then none may follow. */
static void defer(
	struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	uc->mask |= ~GUEST_SIGNALS;
	/* Two at a time: one of them is the guest's own, which cannot be kept from coming. */
	if (self->pending && (SIG_BIT(info->signo) & GUEST_SIGNALS)) {
		hold(self, info);
		return;
	}
	if (self->pending)
		hold(self, &self->pending_info);
	self->pending_info = *info;
	self->pending = 1;
	turn_nudge(self);
}

void signal_defer(struct thread *self, const struct kernel_siginfo *info)
{
	if (self->pending || (self->mask & SIG_BIT(info->signo))) {
		hold(self, info);
		return;
	}
	self->pending_info = *info;
	self->pending = 1;
}

/* Delivers what waits, on top of each other as the kernel does. */
static void deliver_due(struct thread *self, struct kernel_ucontext *uc)
{
	struct kernel_siginfo due;

	for (;;) {
		sigmask_t blocked = self->has_temporary ? self->temporary : self->mask;

		if (self->pending) {
			due = self->pending_info;
			self->pending = 0;
			if (SIG_BIT(due.signo) & GUEST_SIGNALS & blocked) {
				hold(self, &due);
				continue;
			}
		} else if (!signal_take_held(self, ~blocked, &due)) {
			return;
		}
		deliver(self, &due, uc);
	}
}

/* A signal for the program arrived; where was the thread? */
static void arrived_for_program(
	struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	struct kernel_sigcontext *c = &uc->context;

	if (c->rip == (uint64_t)enter_syscall) {
		c->rip = c->rcx - 2;
	} else if (within(c->rip, pass_begin, pass_done) ||
		   within(c->rip, look_enter, look_begin)) {
		c->rip = self->back - 2;
	} else if (within(c->rip, pass_done, pass_end)) {
		c->rip = self->back;
		c->rcx = self->back;
	} else if (within(c->rip, look_begin, look_saved)) {
		c->rip = self->back - 2;
		c->rax = self->regs.rax;
	} else if (in_guest(c->rip)) {
		if (within(c->rip, leave_guest, leave_end))
			c->rip = (uint64_t)leave_guest;
		else if (within(c->rip, look_saved, look_slow))
			c->rip = (uint64_t)look_slow;
		else if (within(c->rip, window_begin, window_done))
			c->rip = (uint64_t)window_abort;
		defer(self, info, uc);
		return;
	}
	code_normalise(self, c);
	deliver(self, info, uc);
	deliver_due(self, uc);
}

/* SIGSYS from the filter: a call that was not rewritten, or a thread that leaves with a signal. */
static void trapped(
	struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	if (uc->context.rip != (uint64_t)leave_trap) {
		frame_to_regs(uc, &self->regs);
		self->trap = uc;
		if (info->call.arch != AUDIT_ARCH_X86_64)
			self->regs.rax = (uint64_t)-ENOSYS;
		else
			dispatch(self);
	}
	if (self->sigreturn)
		frame_restore(self, uc);
	else
		frame_from_regs(&self->regs, uc);
	signal_block_all(self);
	uc->mask = real_mask(self->mask);
	if (self->pending) {
		code_normalise(self, &uc->context);
		deliver_due(self, uc);
	}
	self->has_temporary = false;
}

/* A fault while the guest touched the program's memory: fault_arm returns again. */
static bool recovered(struct thread *self, struct kernel_ucontext *uc)
{
	const struct fault_frame *f = self->fault;
	struct kernel_sigcontext *c = &uc->context;

	if (within(c->rip, look_saved, look_slow)) {
		c->rip = (uint64_t)look_slow;
		return true;
	}
	if (!f || !in_guest(c->rip))
		return false;
	self->fault = NULL;
	c->rbx = f->rbx;
	c->rbp = f->rbp;
	c->r12 = f->r12;
	c->r13 = f->r13;
	c->r14 = f->r14;
	c->r15 = f->r15;
	c->rsp = f->rsp;
	c->rip = f->rip;
	c->rax = 1;
	c->rflags &= ~FLAG_DF;
	return true;
}

/* Raised by the instruction at hand, as opposed to sent: what processes and timers send has a code
 * of at most 0, what the kernel raises a positive one. */
#define FAULT_SIGNALS (GUEST_FAULTS | SIG_BIT(SIGILL) | SIG_BIT(SIGTRAP) | SIG_BIT(SIGFPE))
static bool is_fault(int signal, const struct kernel_siginfo *info)
{
	return (SIG_BIT(signal) & FAULT_SIGNALS) && info->code > 0;
}

/* It was nothing that the program hears of: if a call of its was interrupted, it is made again. */
static void as_if_nothing(struct thread *self, struct kernel_sigcontext *c)
{
	if (c->rip == (uint64_t)window_done && c->rax == (uint64_t)-EINTR && !self->pending)
		c->rip = (uint64_t)window_abort;
}

/* A question of another task's, or a signal that the program ignores. */
static bool is_nothing(
	struct thread *self, const struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	if (spin_is_question(info)) {
		if (!in_guest(uc->context.rip))
			spin_answer(self, info, uc);
		if (!in_guest(uc->context.rip) && self->pending) {
			code_normalise(self, &uc->context);
			deliver_due(self, uc);
		}
		return true;
	}
	return !(self->mask & SIG_BIT(SIGWINCH)) &&
	       self->actions->action[SIGWINCH].handler <= SIG_IGN;
}

void signal_arrived(int signal, struct kernel_siginfo *info, struct kernel_ucontext *uc);
void signal_arrived(int signal, struct kernel_siginfo *info, struct kernel_ucontext *uc)
{
	struct thread *self = thread_self();

	if (signal == SIGSYS && info->code == SYS_SECCOMP) {
		trapped(self, info, uc);
		return;
	}
	if (terminal_signal_arrived(self, info) ||
		(signal == SIGWINCH && is_nothing(self, info, uc))) {
		as_if_nothing(self, &uc->context);
		return;
	}
	if (signal_is_chance(info))
		return;
	own_signal_arrived(self, info);
	if (is_fault(signal, info)) {
		if (recovered(self, uc))
			return;
		/* A program that steps through itself sees its own instructions only. */
		if (signal == SIGTRAP && info->code == TRAP_TRACE &&
			(in_guest(uc->context.rip) || code_is_stub(uc->context.rip)))
			return;
		if (signal == SIGSEGV && !in_guest(uc->context.rip) &&
			((info->code == SI_KERNEL && tsc_trapped(self, uc)) ||
				trap_emulate(self, uc))) {
			if (self->pending)
				deliver_due(self, uc);
			return;
		}
		if (in_guest(uc->context.rip))
			fatal("the guest itself faulted in %s; please report this as a bug",
				program_path[0] ? program_path : "a program");
		if (self->mask & SIG_BIT(signal)) {
			deliver_default(signal, uc);
			return;
		}
	} else if (self->mask & SIG_BIT(signal) & GUEST_SIGNALS) {
		hold(self, info);
		/* A wait for just this signal has not begun: it must look again. */
		if (within(uc->context.rip, window_begin, window_done))
			uc->context.rip = (uint64_t)window_abort;
		return;
	}
	if (!(process.relax & RELAX_TIME)) {
		signal_scrub(info);
		timers_arrived(self, info);
	}
	arrived_for_program(self, info, uc);
}

bool signal_release_held(struct thread *self, sigmask_t mask)
{
	sigmask_t due = self->held & ~mask;

	if (!due || signal_block_all(self))
		return false;
	self->pending = (uint32_t)signal_take_held(self, due, &self->pending_info) != 0;
	return true;
}

int signal_take_held(struct thread *self, sigmask_t set, struct kernel_siginfo *info)
{
	sigmask_t held = self->held & set;

	if (!held)
		return 0;
	*info = self->held_info[held_index(__builtin_ctzll(held) + 1)];
	self->held &= ~SIG_BIT(info->signo);
	return info->signo;
}
