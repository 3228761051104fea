/* Tables of signal actions: what the program asked for, and what the kernel is told. */
#include "guest/process.h"
#include "guest/signal.h"
#include "guest/sys.h"

/* Tables for tasks that share memory but not handlers (vfork and the like). */
#define TABLES 1024
static struct actions tables[TABLES];

void actions_lock(struct actions *actions)
{
	while (__atomic_exchange_n(&actions->lock, 1, __ATOMIC_ACQUIRE))
		sys(__NR_sched_yield);
}

void actions_unlock(struct actions *actions)
{
	__atomic_store_n(&actions->lock, 0, __ATOMIC_RELEASE);
}

static struct actions *actions_claim(void)
{
	for (int i = 0; i < TABLES; i++) {
		uint32_t none = 0;

		if (__atomic_compare_exchange_n(
			    &tables[i].users, &none, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return &tables[i];
	}
	return NULL;
}

struct actions *actions_copy(const struct actions *from)
{
	struct actions *to = actions_claim();

	if (to && from) {
		to->known = from->known;
		memcpy(to->action, from->action, sizeof(to->action));
	}
	return to;
}

void actions_release(struct actions *actions)
{
	if (__atomic_sub_fetch(&actions->users, 1, __ATOMIC_ACQ_REL) == 0)
		actions->known = 0;
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

long signal_install(int signal, const struct kernel_sigaction *action)
{
	const uint64_t kept = SA_RESTART | SA_NOCLDSTOP | SA_NOCLDWAIT;
	struct kernel_sigaction real = {
		.handler = (uint64_t)signal_enter,
		.flags = SA_SIGINFO | SA_ONSTACK | SA_RESTORER | (action->flags & kept),
		.restorer = (uint64_t)signal_restore,
		.mask = ~GUEST_SIGNALS,
	};

	if (SIG_BIT(signal) & GUEST_SIGNALS) {
		real.flags |= SA_NODEFER;
		real.mask = 0;
	} else if (action->handler <= SIG_IGN) {
		real = *action;
		real.flags |= SA_RESTORER;
		real.restorer = (uint64_t)signal_restore;
	}
	return sys(__NR_rt_sigaction, signal, &real, 0, sizeof(sigmask_t));
}

void signal_start(struct thread *self)
{
	static const struct kernel_sigaction none;

	self->actions = actions_copy(NULL);
	signal_install(SIGSYS, &none);
	signal_install(SIGSEGV, &none);
	signal_install(SIGBUS, &none);
	sys(__NR_rt_sigprocmask, SIG_BLOCK, 0, &self->mask, sizeof(self->mask));
	self->altstack.flags = SS_DISABLE;
}
