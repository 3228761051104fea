#include "guest/own_signals.h"

#include "guest/children.h"
#include "guest/clock.h"
#include "guest/order.h"
#include "guest/race.h"
#include "guest/signal.h"
#include "guest/sys.h"
#include "guest/turn.h"

#define SIGTSTP	 20
#define SIGTTIN	 21
#define SIGTTOU	 22
#define SIGURG	 23
#define QUEUED	 32	    /* signals from here on are all kept */
#define DISGUISE (-0x10000) /* less a code of at least 0: the kernel takes it for a program's own */
#define CODES	 0x100

#define STOPS	 (SIG_BIT(SIGSTOP) | SIG_BIT(SIGTSTP) | SIG_BIT(SIGTTIN) | SIG_BIT(SIGTTOU))
#define NOTHING	 (SIG_BIT(SIGCHLD) | SIG_BIT(SIGCONT) | SIG_BIT(SIGURG) | SIG_BIT(SIGWINCH))
#define SURE	 (SIG_BIT(SIGKILL) | SIG_BIT(SIGSTOP)) /* cannot be blocked or handled */

/* Is it one of the process's threads, in the memory of the caller? */
static bool is_sibling(const struct thread *self, uint32_t index)
{
	return turn_of(index)->domain && turn_of(index)->area &&
	       task_at(index)->process == task_at(self->task)->process;
}

static const struct thread *area_of(uint32_t index)
{
	return (const struct thread *)turn_of(index)->area;
}

static bool lets_through(uint32_t index, int signal)
{
	const struct thread *thread = area_of(index);
	sigmask_t mask = thread->wait_mask ? *thread->wait_mask : thread->mask;

	return (SIG_BIT(signal) & SURE) || !(mask & SIG_BIT(signal));
}

/* The oldest thread that lets it through, or NO_TASK. */
static uint32_t receiver(const struct thread *self, int signal)
{
	uint32_t end = tasks_end(), found = NO_TASK;

	for (uint32_t i = 0; i < end; i++)
		if (is_sibling(self, i) && lets_through(i, signal) &&
			(found == NO_TASK || turn_of(i)->birth < turn_of(found)->birth))
			found = i;
	return found;
}

static uint32_t find_sibling(const struct thread *self, int32_t tid)
{
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end; i++)
		if (is_sibling(self, i) && task_at(i)->tid == tid)
			return i;
	return NO_TASK;
}

static bool by_default(struct thread *self, int signal)
{
	bool defaults;

	if (SIG_BIT(signal) & SURE)
		return true;
	actions_lock(self->actions);
	defaults = signal_action(self->actions, signal).handler == SIG_DFL;
	actions_unlock(self->actions);
	return defaults;
}

/* To other threads the kernel lets nobody pretend that a signal is from itself, or for the whole
 * process. */
static bool is_forbidden(const struct kernel_siginfo *info)
{
	return info->code >= 0 || info->code == SI_TKILL;
}

static struct gift gift_of(const struct kernel_siginfo *info)
{
	return (struct gift){ info->signo, info->code, info->sender.pid, info->sender.uid,
		info->sender.value };
}

static bool is_same(const struct gift *letter, const struct kernel_siginfo *info)
{
	return letter->signo == info->signo &&
	       (letter->code == SI_TKILL) == (info->code == SI_TKILL);
}

/*
 * A thread that does not run gets it when it goes on: how many of one kind there are by then, and
 * in which order several come, must not depend on when the kernel would have handed them out.
 */
static bool leave_letter(uint32_t to, const struct kernel_siginfo *info)
{
	struct thread *thread = (struct thread *)turn_of(to)->area;

	if (!threads_matter() || turn_of(to)->away)
		return false;
	for (uint32_t i = 0; info->signo < QUEUED && i < thread->letters; i++)
		if (is_same(&thread->letter[i], info))
			return true;
	if (thread->letters == LETTERS)
		return false;
	thread->letter[thread->letters++] = gift_of(info);
	return true;
}

static long send_with_gift(uint32_t to, const struct kernel_siginfo *info)
{
	struct thread *thread = (struct thread *)turn_of(to)->area;

	for (int i = 0; info->code != SI_TKILL && i < GIFTS; i++) {
		if (thread->gifts[i].signo)
			continue;
		thread->gifts[i] = gift_of(info);
		thread->gifts[i].signo = 0;
		__atomic_store_n(&thread->gifts[i].signo, info->signo, __ATOMIC_RELEASE);
		break;
	}
	return sys(__NR_tgkill, task_at(to)->pid, task_at(to)->tid, info->signo);
}

void own_signal_undisguise(struct kernel_siginfo *info)
{
	if (info->code <= DISGUISE && info->code > DISGUISE - CODES)
		info->code = DISGUISE - info->code;
}

void own_signal_arrived(struct thread *self, struct kernel_siginfo *info)
{
	own_signal_undisguise(info);
	for (int i = 0; info->code == SI_TKILL && i < GIFTS; i++) {
		struct gift *gift = &self->gifts[i];

		if (__atomic_load_n(&gift->signo, __ATOMIC_ACQUIRE) != info->signo)
			continue;
		info->code = gift->code;
		info->sender.pid = gift->pid;
		info->sender.uid = gift->uid;
		info->sender.value = gift->value;
		__atomic_store_n(&gift->signo, 0, __ATOMIC_RELEASE);
		return;
	}
}

/*
 * Nor does it let any but the first thread pretend that to the whole process. What kill would send
 * is sent by it; else the code is one of the guest's own, until the signal arrives.
 */
static long send_to_process(int32_t pid, const struct kernel_siginfo *info)
{
	struct kernel_siginfo disguised = *info;

	if (!is_forbidden(info) || sys(__NR_gettid) == pid)
		return sys(__NR_rt_sigqueueinfo, pid, info->signo, info);
	if (info->code == SI_USER && info->sender.pid == pid)
		return sys(__NR_kill, pid, info->signo);
	disguised.code = DISGUISE - info->code;
	return sys(__NR_rt_sigqueueinfo, pid, info->signo, &disguised);
}

static long send_to(int32_t pid, int32_t tid, const struct kernel_siginfo *info)
{
	return tid ? sys(__NR_rt_tgsigqueueinfo, pid, tid, info->signo, info)
		   : send_to_process(pid, info);
}

static long send(const struct thread *self, const struct kernel_siginfo *info, int32_t tid)
{
	return send_to(task_at(self->task)->pid, tid, info);
}

void own_signals_take(struct thread *self)
{
	uint32_t letters = self->letters;

	self->letters = 0;
	for (uint32_t i = 0; i < letters; i++) {
		const struct gift *letter = &self->letter[i];
		const struct kernel_siginfo info = {
			.signo = letter->signo,
			.code = letter->code,
			.mark = MARK_IN_TURN,
			.sender = { letter->pid, letter->uid, letter->value },
		};

		send(self, &info, task_at(self->task)->tid);
	}
	/* Any call makes the kernel hand out what was sent before. */
	sys(__NR_getpid);
}

/* The others hear of its end before the kernel makes it one; from then on, its slot may be another
 * task's. */
_Noreturn static void die(struct thread *self, const struct kernel_siginfo *info)
{
	const struct kernel_sigaction none = { .handler = SIG_DFL };
	const int64_t moments[2] = { 1, 0 };
	const int32_t pid = task_at(self->task)->pid, tid = task_at(self->task)->tid;
	sigmask_t mask = ~SIG_BIT(info->signo);

	order_end(self, true);
	task_ended(self, true);
	sys(__NR_rt_sigaction, info->signo, &none, 0, sizeof(sigmask_t));
	for (;;) {
		send_to(pid, tid, info);
		sys(__NR_rt_sigprocmask, SIG_SETMASK, &mask, 0, sizeof(mask));
		sys(__NR_nanosleep, moments, 0);
	}
}

/* It is out of the race until another process lets it go on. */
static long stop(struct thread *self, const struct kernel_siginfo *info)
{
	long r;

	uint32_t first = task_at(self->task)->process;

	child_stops(self, info->signo);
	turn_stop(self);
	r = send(self, info, task_at(self->task)->tid);
	if (turn_is_stopped(first))
		turn_continue(self, first); /* the kernel saw no reason to stop */
	turn_take(self);
	return r;
}

long own_signal(struct thread *self, const struct kernel_siginfo *info, int32_t tid)
{
	int signal = info->signo;
	uint32_t to = tid ? find_sibling(self, tid) : receiver(self, signal);

	if (!signal || (tid && to == NO_TASK))
		return tid ? sys(__NR_tgkill, task_at(self->task)->pid, tid, signal) : 0;
	if (to != NO_TASK && lets_through(to, signal) && by_default(self, signal) &&
		!(SIG_BIT(signal) & NOTHING))
		return SIG_BIT(signal) & STOPS ? stop(self, info) : (die(self, info), 0);
	if (to == NO_TASK) {
		/* The kernel's own, which come by chance, wait with the process: of two, the second
		 * would be dropped. */
		bool apart = signal == SIGCHLD && clock_owner(self)->users == 1;
		long r = send(self, info, apart ? task_at(self->task)->tid : 0);

		turn_wake_process(self->task, PARK_SIGNAL, task_at(self->task)->process);
		return r;
	}
	if (to != self->task) {
		__atomic_store_n(&turn_of(to)->signalled, 1, __ATOMIC_SEQ_CST);
		turn_wake_one(self->task, PARK_SIGNAL, to);
		if (leave_letter(to, info))
			return 0;
	}
	return to != self->task && is_forbidden(info) ? send_with_gift(to, info)
						      : send(self, info, task_at(to)->tid);
}
