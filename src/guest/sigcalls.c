/* The system calls of the signal family. */
#include "guest/clock.h"
#include "guest/code.h"
#include "guest/deliver.h"
#include "guest/handlers.h"
#include "guest/signal.h"
#include "guest/timers.h"

long handle_rt_sigaction(struct thread *self)
{
	uint64_t signal = argument(self, 0), new = argument(self, 1), old = argument(self, 2);
	struct kernel_sigaction action, before;
	long r = 0;

	if (argument(self, 3) != sizeof(sigmask_t) || signal < 1 || signal > SIGNALS)
		return -EINVAL;
	if (new && (signal == SIGKILL || signal == SIGSTOP))
		return -EINVAL;
	if (new &&copy_in(&action, new, sizeof(action)))
		return -EFAULT;
	actions_lock(self->actions);
	before = signal_action(self->actions, (int)signal);
	if (new) {
		action.mask = program_mask(action.mask);
		action.flags &= SA_KNOWN;
		self->actions->action[signal] = action;
		if (signal == SIGCHLD)
			clock_owner(self)->reaps = (action.handler == SIG_IGN ? REAPS_IGNORED : 0) |
						   (action.flags & SA_NOCLDWAIT ? REAPS_NOT : 0);
		r = signal_install((int)signal, &action);
	}
	actions_unlock(self->actions);
	if (r == 0 && old)
		r = copy_out(old, &before, sizeof(before));
	return r;
}

long handle_rt_sigprocmask(struct thread *self)
{
	uint64_t how = argument(self, 0), new = argument(self, 1), old = argument(self, 2);
	sigmask_t before = self->mask, mask, real;
	long r;

	if (argument(self, 3) != sizeof(sigmask_t))
		return -EINVAL;
	if (new) {
		if (copy_in(&mask, new, sizeof(mask)))
			return -EFAULT;
		if (how == SIG_BLOCK)
			mask |= before;
		else if (how == SIG_UNBLOCK)
			mask = before & ~mask;
		else if (how != SIG_SETMASK)
			return -EINVAL;
		mask = program_mask(mask);
		real = real_mask(mask);
		r = sys_window(__NR_rt_sigprocmask, SIG_SETMASK, &real, 0, sizeof(real));
		if (r)
			return r;
		/* A signal that this let through is pending already, with the new mask around
		 * it. */
		self->mask = mask;
		signal_release_held(self, mask);
	}
	return old ? copy_out(old, &before, sizeof(before)) : 0;
}

long handle_rt_sigpending(struct thread *self)
{
	sigmask_t pending = 0;
	long r = sys_window(__NR_rt_sigpending, &pending, sizeof(pending));
	size_t bytes = argument(self, 1);

	if (bytes > sizeof(pending))
		return -EINVAL;
	if (r)
		return r;
	pending |= self->held;
	return copy_out(argument(self, 0), &pending, bytes);
}

/* As the kernel judges the stack in a frame that a handler returns through. */
static bool altstack_valid(const struct kernel_stack *stack)
{
	uint32_t mode = (uint32_t)stack->flags & ~SS_AUTODISARM;

	return mode == SS_DISABLE ||
	       ((mode == 0 || mode == SS_ONSTACK) && stack->size >= MINSIGSTKSZ);
}

long handle_sigaltstack(struct thread *self)
{
	uint64_t new = argument(self, 0), old = argument(self, 1);
	struct kernel_stack stack, before = self->altstack;
	bool on = on_altstack(&before, self->regs.rsp);

	if (new) {
		if (copy_in(&stack, new, sizeof(stack)))
			return -EFAULT;
		if (on)
			return -EPERM;
		switch ((uint32_t)stack.flags & ~SS_AUTODISARM) {
		case SS_DISABLE:
			stack.base = stack.size = 0;
			break;
		case SS_ONSTACK:
		case 0:
			if (stack.size < MINSIGSTKSZ)
				return -ENOMEM;
			break;
		default:
			return -EINVAL;
		}
		stack.flags &= (int32_t)SS_AUTODISARM | SS_DISABLE;
		self->altstack = stack;
	}
	if (old) {
		before.pad = 0;
		if (on)
			before.flags |= SS_ONSTACK;
		return copy_out(old, &before, sizeof(before));
	}
	return 0;
}

/*
 * Through the program's own frame, mended in place. When a signal waits meanwhile, its frame may
 * overlap this one: the trap's handler copies it first.
 */
long handle_rt_sigreturn(struct thread *self)
{
	struct kernel_ucontext *uc = (struct kernel_ucontext *)self->regs.rsp;
	struct fault_frame frame;
	bool pending;

	timers_again(self);
	pending = signal_block_all(self);
	if (fault_arm(&frame)) {
		self->pending_info = (struct kernel_siginfo){ .signo = SIGSEGV, .code = SI_KERNEL };
		self->pending = 1;
		return -EFAULT;
	}
	self->mask = program_mask(uc->mask);
	if (altstack_valid(&uc->stack))
		self->altstack = uc->stack;
	uc->mask = real_mask(self->mask);
	uc->stack = thread_signal_stack(self);
	code_denormalise(&uc->context);
	fault_disarm();
	signal_release_held(self, self->mask);
	if (pending || self->pending) {
		self->sigreturn = uc;
		return 0;
	}
	sigreturn_from(uc);
}
