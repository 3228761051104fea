/* Tables of signal actions: what the program asked for, and what the kernel is told. */
#include "guest/pool.h"
#include "guest/process.h"
#include "guest/signal.h"
#include "guest/sys.h"
#include "guest/turn.h"

/* The first table is part of the image; others are for tasks that share memory but not handlers. */
#define TABLES 8192
static struct actions first HOT;
static uint32_t busy[TABLES];
static uint8_t mapped[TABLES];
static struct pool tables = {
	.address = TABLE_ADDRESS,
	.bytes = PAGE,
	.limit = TABLES,
	.busy = busy,
	.mapped = mapped,
};
_Static_assert(sizeof(struct actions) <= PAGE, "a table is one page");

void actions_lock(struct actions *actions)
{
	while (__atomic_exchange_n(&actions->lock, 1, __ATOMIC_ACQUIRE))
		sys(__NR_sched_yield);
}

void actions_unlock(struct actions *actions)
{
	__atomic_store_n(&actions->lock, 0, __ATOMIC_RELEASE);
}

struct actions *actions_copy(const struct actions *from)
{
	uint32_t *place;
	struct actions *to = pool_take(&tables, &place);

	if (to) {
		memcpy(to, from, sizeof(*to));
		to->lock = 0;
		to->users = 1;
		to->busy = place;
	}
	return to;
}

void actions_release(struct actions *actions)
{
	if (__atomic_sub_fetch(&actions->users, 1, __ATOMIC_ACQ_REL) == 0 && actions->busy)
		__atomic_store_n(actions->busy, 0, __ATOMIC_RELEASE);
}

void actions_forget_others(struct actions *own)
{
	own->lock = 0;
	own->users = 1;
	pool_keep_only(&tables, own->busy);
}

struct kernel_sigaction signal_action(struct actions *actions, int signal)
{
	struct kernel_sigaction *action = &actions->action[signal];

	if (!(actions->known & SIG_BIT(signal))) {
		if (!(SIG_BIT(signal) & GUEST_SIGNALS))
			sys(__NR_rt_sigaction, signal, 0, action, sizeof(sigmask_t));
		actions->known |= SIG_BIT(signal);
	}
	return *action;
}

/* What the kernel is told; `before`, when given, receives what it was told last. */
static long install(
	int signal, const struct kernel_sigaction *action, struct kernel_sigaction *before)
{
	const uint64_t kept = SA_RESTART | SA_NOCLDSTOP | SA_NOCLDWAIT;
	struct kernel_sigaction real = {
		.handler = (uint64_t)signal_enter,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTORER | (action->flags & kept),
		.restorer = (uint64_t)signal_restore,
		.mask = ~GUEST_SIGNALS,
	};

	/* What becomes of children is told in turn (posts.h). */
	if (signal == SIGCHLD && turns_matter())
		real.flags |= SA_NOCLDSTOP;
	if (signal == SIGSYS) {
		/* Calls are handled with the program's mask, and an exec must not inherit
		 * another. */
		real.flags |= SA_NODEFER;
		real.mask = 0;
	} else if (action->handler <= SIG_IGN && !(SIG_BIT(signal) & GUEST_SIGNALS)) {
		real = *action;
		real.flags |= SA_RESTORER;
		real.restorer = (uint64_t)signal_restore;
	}
	return sys(__NR_rt_sigaction, signal, &real, before, sizeof(sigmask_t));
}

long signal_install(int signal, const struct kernel_sigaction *action)
{
	return install(signal, action, NULL);
}

static const int guest_signals[] = { SIGSYS, SIGSEGV, SIGBUS, SIGWINCH };

/*
 * The guest's own signals are ignored or blocked for the program in its tables only. A program that
 * it runs must inherit that, so it becomes real for the exec; signal_start reads it from there.
 */
static bool inherits(const struct thread *self)
{
	bool ignored = false;

	for (size_t i = 0; i < sizeof(guest_signals) / sizeof(guest_signals[0]); i++)
		ignored |= self->actions->action[guest_signals[i]].handler == SIG_IGN;
	return ignored || (self->mask & GUEST_SIGNALS);
}

void signal_before_exec(struct thread *self)
{
	const struct kernel_sigaction ignore = { .handler = SIG_IGN };

	if (!inherits(self))
		return;
	for (size_t i = 0; i < sizeof(guest_signals) / sizeof(guest_signals[0]); i++)
		if (self->actions->action[guest_signals[i]].handler == SIG_IGN)
			sys(__NR_rt_sigaction, guest_signals[i], &ignore, 0, sizeof(sigmask_t));
	if (!self->pending)
		sys(__NR_rt_sigprocmask, SIG_SETMASK, &self->mask, 0, sizeof(self->mask));
}

void signal_after_failed_exec(struct thread *self)
{
	if (!inherits(self))
		return;
	for (size_t i = 0; i < sizeof(guest_signals) / sizeof(guest_signals[0]); i++)
		signal_install(guest_signals[i], &self->actions->action[guest_signals[i]]);
	signal_unblock(self);
}

void signal_start(struct thread *self)
{
	static const struct kernel_sigaction none;

	self->actions = &first;
	first.users = 1;
	for (size_t i = 0; i < sizeof(guest_signals) / sizeof(guest_signals[0]); i++) {
		struct kernel_sigaction before;

		install(guest_signals[i], &none, &before);
		if (before.handler == SIG_IGN)
			first.action[guest_signals[i]].handler = SIG_IGN;
	}
	sys(__NR_rt_sigprocmask, SIG_BLOCK, 0, &self->mask, sizeof(self->mask));
	if (self->mask & GUEST_SIGNALS)
		signal_unblock(self);
	self->altstack.flags = SS_DISABLE;
}
