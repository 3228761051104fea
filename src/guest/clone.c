/* Processes and threads: how they begin and how they end. */
#include "guest/children.h"
#include "guest/clock.h"
#include "guest/files.h"
#include "guest/glances.h"
#include "guest/handlers.h"
#include "guest/order.h"
#include "guest/place.h"
#include "guest/report.h"
#include "guest/signal.h"
#include "guest/task.h"
#include "guest/timers.h"
#include "guest/turn.h"

/* What the program asked for, whatever call it used. */
struct birth {
	uint64_t flags; /* with the exit signal in the low byte, as clone has it */
	uint64_t stack, parent_tid, child_tid, tls;
	uint64_t pidfd; /* 0, or where CLONE_PIDFD stores the descriptor */
	bool clear_actions;
};

static void clear_actions(struct thread *self)
{
	const struct kernel_sigaction none = { .handler = SIG_DFL };

	for (int signal = 1; signal <= SIGNALS; signal++) {
		if (signal_action(self->actions, signal).handler <= SIG_IGN)
			continue;
		self->actions->action[signal] = none;
		signal_install(signal, &none);
	}
}

#define EXIT_SIGNAL 0xfful

/* clone has one place for the thread id and the pidfd: the id is then stored by us. */
static long clone_flags(const struct birth *birth)
{
	uint64_t without = birth->pidfd ? CLONE_PARENT_SETTID : 0;

	/* The guest clears it, in turn (futex.h). */
	if (threads_matter())
		without |= CLONE_CHILD_CLEARTID;

	/* Its end is told by itself (children.h). */
	if (turns_matter())
		without |= EXIT_SIGNAL;
	return (long)(birth->flags & ~without);
}

static uint64_t clone_place(const struct birth *birth)
{
	return birth->pidfd ? birth->pidfd : birth->parent_tid;
}

static void store_tid(const struct birth *birth, long tid)
{
	uint32_t id = (uint32_t)tid;

	if (birth->pidfd && (birth->flags & CLONE_PARENT_SETTID))
		copy_out(birth->parent_tid, &id, sizeof(id));
}

static uint64_t cleared_tid(const struct birth *birth)
{
	return birth->flags & CLONE_CHILD_CLEARTID ? birth->child_tid : 0;
}

/* A task with memory of its own: it goes on from here with a copy of everything. */
static long birth_of_process(struct thread *self, const struct birth *birth, uint32_t task)
{
	long r;

	place_hold();
	if (!(birth->flags & CLONE_VFORK))
		glances_hold(self);
	r = sys_window(__NR_clone, clone_flags(birth), 0, clone_place(birth), birth->child_tid,
		birth->tls);
	place_let_go();
	if (r == 0)
		glances_forget(self);
	glances_release(self);
	if (r > 0)
		store_tid(birth, r);
	/* In turn the child has not come far; else its slot may be another's already. */
	if (r > 0 && turns_matter() && !(birth->flags & CLONE_VFORK))
		task_born(task, (int32_t)r);
	if (r)
		return r;
	thread_forget_others(self);
	actions_forget_others(self->actions);
	self->held = 0;
	if (birth->clear_actions)
		clear_actions(self);
	if (birth->stack)
		self->regs.rsp = birth->stack;
	self->clear_tid = cleared_tid(birth);
	self->robust = 0;
	self->rousings = 0;
	self->shares_files = birth->flags & CLONE_FILES;
	task_started(self, task);
	timers_forked(self);
	turn_born(self);
	if (process.reporting)
		report_started(self);
	return 0;
}

/* The child's area: its registers are the parent's, apart from what the call changes. */
static struct thread *child_area(struct thread *self, const struct birth *birth)
{
	struct thread *child = thread_allocate();

	if (!child)
		return NULL;
	child->actions = self->actions;
	if (birth->flags & CLONE_SIGHAND)
		__atomic_add_fetch(&self->actions->users, 1, __ATOMIC_ACQ_REL);
	else
		child->actions = actions_copy(self->actions);
	if (!child->actions) {
		thread_free(child);
		return NULL;
	}
	child->regs = self->regs;
	child->regs.rax = 0;
	child->regs.rcx = child->regs.rip;
	child->regs.r11 = child->regs.rflags;
	if (birth->stack)
		child->regs.rsp = birth->stack;
	child->mask = self->mask;
	child->altstack.flags = SS_DISABLE;
	if (birth->flags & CLONE_VFORK)
		child->altstack = self->altstack;
	if (self->trap && self->trap->context.fpstate) {
		const uint8_t *fpstate = (const uint8_t *)self->trap->context.fpstate;

		memcpy(&child->fpu_words[0], fpstate + 24, 4);
		memcpy(&child->fpu_words[1], fpstate, 2);
		child->fpu_valid = true;
	}
	return child;
}

static void child_discard(struct thread *child)
{
	actions_release(child->actions);
	if (child->exec_memory)
		own_unmap(child->exec_memory, child->exec_bytes);
	thread_free(child);
}

/* A task that shares our memory: it starts in thread_begin, on stacks of its own. */
static long birth_in_memory(struct thread *self, const struct birth *birth, uint32_t task)
{
	struct thread *child;
	uint64_t *stack;
	long r;

	if (signal_block_all(self))
		return -RESTART;
	child = child_area(self, birth);
	if (!child) {
		signal_unblock(self);
		return -EAGAIN;
	}
	child->task = task;
	child->clear_tid = cleared_tid(birth);
	thread_pass_nothing(child);
	if (birth->flags & CLONE_THREAD)
		thread_pass_nothing(self);
	child->clear_actions = birth->clear_actions;
	child->parents = birth->flags & CLONE_VFORK;
	child->alone = !(birth->flags & CLONE_THREAD);
	child->other_files = self->other_files || !(birth->flags & CLONE_FILES);
	child->shares_files = (birth->flags & CLONE_FILES) &&
			      (self->shares_files || !(birth->flags & CLONE_THREAD));
	if (birth->flags & CLONE_THREAD)
		self->alone = false; /* its end is not the process's any more */
	stack = (uint64_t *)child->stack - 2;
	stack[0] = (uint64_t)child;
	r = sys_clone(clone_flags(birth), stack, clone_place(birth), birth->child_tid, birth->tls);
	if (r > 0)
		store_tid(birth, r);
	if (r < 0 || (birth->flags & CLONE_VFORK))
		child_discard(child);
	signal_unblock(self);
	return r;
}

void thread_begin(struct thread *self);
void thread_begin(struct thread *self)
{
	thread_use(self);
	if (self->clear_actions)
		clear_actions(self);
	task_started(self, self->task);
	turn_born(self);
	if (process.reporting)
		report_started(self);
	signal_unblock(self);
}

const uint32_t *thread_fpu_words(const struct thread *self);
const uint32_t *thread_fpu_words(const struct thread *self)
{
	return self->fpu_valid ? self->fpu_words : NULL;
}

static long give_birth(struct thread *self, const struct birth *birth)
{
	uint32_t task = task_child(self, birth->flags);
	long r;

	if (task == NO_TASK)
		return -EAGAIN;
	children_reap(self);
	files_shared();
	turn_enter(self, task, (birth->flags & CLONE_VM) || clock_owner(self)->shares);
	task_at(task)->bearer = birth->flags & CLONE_VFORK ? self->task + 1 : 0;
	if (birth->flags & CLONE_VM)
		r = birth_in_memory(self, birth, task);
	else
		r = birth_of_process(self, birth, task);
	if (r < 0)
		task_unmade(task);
	else if (r > 0 && turns_matter() && (birth->flags & CLONE_THREAD))
		task_thread_born(self, task, (int32_t)r);
	if (r > 0 && (birth->flags & CLONE_VFORK))
		turn_borne(self);
	if (r > 0)
		clock_advance(self, birth->flags & CLONE_THREAD ? THREAD_COST : BIRTH_COST);
	return r;
}

long handle_clone(struct thread *self)
{
	const struct regs *r = &self->regs;
	struct birth birth = {
		.flags = (uint32_t)r->rdi,
		.stack = r->rsi,
		.parent_tid = r->rdx,
		.child_tid = r->r10,
		.tls = r->r8,
	};

	if (birth.flags & CLONE_NAMESPACES)
		return refuse_call(self, -EPERM);
	return give_birth(self, &birth);
}

long handle_fork(struct thread *self)
{
	const struct birth birth = { .flags = 17 /* SIGCHLD */ };

	return give_birth(self, &birth);
}

long handle_vfork(struct thread *self)
{
	const struct birth birth = { .flags = CLONE_VM | CLONE_VFORK | 17 /* SIGCHLD */ };

	return give_birth(self, &birth);
}

/* clone3's arguments: known fields are taken, unknown ones must be 0, as the kernel has it. */
static long clone3_arguments(struct thread *self, struct kernel_clone_args *args)
{
	uint64_t from = argument(self, 0), bytes = argument(self, 1);
	uint64_t known = bytes < sizeof(*args) ? bytes : sizeof(*args);

	if (bytes > PAGE)
		return -E2BIG;
	if (bytes < CLONE_ARGS_SIZE_VER0)
		return -EINVAL;
	if (copy_in(args, from, known))
		return -EFAULT;
	for (uint64_t i = known; i < bytes; i++) {
		char byte;

		if (copy_in(&byte, from + i, 1))
			return -EFAULT;
		if (byte)
			return -E2BIG;
	}
	return 0;
}

long handle_clone3(struct thread *self)
{
	struct kernel_clone_args args = { 0 };
	struct birth birth;
	long r = clone3_arguments(self, &args);

	if (r)
		return r;
	if ((args.flags & (CLONE_NAMESPACES | CLONE_NEWTIME)) || args.set_tid_size)
		return refuse_call(self, -EPERM);
	if (args.flags & CLONE_INTO_CGROUP)
		return refuse_call(self, -EOPNOTSUPP);
	if ((args.flags & 0xff) || (args.flags >> 33) ||
		(args.flags & (CLONE_CLEAR_SIGHAND | CLONE_SIGHAND)) ==
			(CLONE_CLEAR_SIGHAND | CLONE_SIGHAND) ||
		args.exit_signal > SIGNALS || ((args.flags & CLONE_THREAD) && args.exit_signal) ||
		!args.stack != !args.stack_size)
		return -EINVAL;
	birth = (struct birth){
		.flags = (args.flags & ~CLONE_CLEAR_SIGHAND) | args.exit_signal,
		.stack = args.stack ? args.stack + args.stack_size : 0,
		.parent_tid = args.parent_tid,
		.child_tid = args.child_tid,
		.tls = args.tls,
		.pidfd = (args.flags & CLONE_PIDFD) ? args.pidfd : 0,
		.clear_actions = args.flags & CLONE_CLEAR_SIGHAND,
	};
	return give_birth(self, &birth);
}

/* The calling task ends, and gives back what it has of memory that others go on using. */
static long end(struct thread *self)
{
	int status = (int)argument(self, 0);

	if (signal_block_all(self))
		return -RESTART;
	if (process.reporting)
		report_exit(self, status);
	order_end(self, false);
	task_ended(self, false);
	if (self->parents)
		return sys(__NR_exit, status);
	actions_release(self->actions);
	thread_end(self, status);
}

long handle_exit(struct thread *self)
{
	return end(self);
}

long handle_exit_group(struct thread *self)
{
	if (self->alone && !self->parents)
		return end(self);
	if (process.reporting)
		report_exit(self, (long)argument(self, 0));
	order_end(self, true);
	task_ended(self, true);
	return sys(__NR_exit_group, argument(self, 0));
}
