#include "guest/posts.h"

#include "guest/ahead.h"
#include "guest/births.h"
#include "guest/children.h"
#include "guest/clock.h"
#include "guest/handlers.h"
#include "guest/own_signals.h"
#include "guest/signal.h"
#include "guest/task.h"
#include "guest/turn.h"

#define SIGTTOU	      22
#define CLD_STOPPED   5
#define CLD_CONTINUED 6
#define P_PID	      1
#define WEXITED	      4
#define WNOWAIT	      0x01000000
#define REALTIME      32 /* signals from here on queue */

static struct mailbox *mailbox_of(uint32_t index)
{
	return &process.arena->mailboxes[index];
}

static bool holds(const struct mailbox *box, const struct posted *posted)
{
	for (uint32_t i = 0; i < box->count; i++)
		if (box->posted[i].signal == posted->signal &&
			box->posted[i].thread == posted->thread)
			return true;
	return false;
}

/* As the kernel does: an ordinary signal that is there already is not there twice. */
static long post(uint32_t from, uint32_t index, const struct posted *posted)
{
	struct mailbox *box = mailbox_of(index);

	if (posted->signal < REALTIME && holds(box, posted))
		return 0;
	if (box->count >= POSTED_MAX)
		return -EAGAIN;
	box->posted[box->count] = *posted;
	__atomic_store_n(&box->count, box->count + 1, __ATOMIC_RELEASE);
	turn_wake_process(from, PARK_SIGNAL, index);
	return 0;
}

void post_child(uint32_t from, uint32_t parent, int signal, int32_t pid)
{
	const struct posted posted = { .signal = signal, .code = 1, .pid = pid };

	post(from, parent, &posted);
}

static bool stops(int signal)
{
	return signal >= SIGSTOP && signal <= SIGTTOU;
}

/* What has not stopped the process yet does not. */
static void forget_stops(struct mailbox *box)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < box->count && i < POSTED_MAX; i++)
		if (!stops(box->posted[i].signal))
			box->posted[kept++] = box->posted[i];
	box->count = kept;
}

void post_child_change(uint32_t from, uint32_t parent, int32_t pid, int signal)
{
	const struct posted posted = {
		.signal = SIGCHLD,
		.code = signal == SIGCONT ? CLD_CONTINUED : CLD_STOPPED,
		.pid = pid,
		.value = (uint64_t)signal,
	};

	post(from, parent, &posted);
}

/* Does the program want to hear of children that stop, or go on? */
static bool hears_of_stops(struct thread *self)
{
	bool hears;

	actions_lock(self->actions);
	hears = !(signal_action(self->actions, SIGCHLD).flags & SA_NOCLDSTOP);
	actions_unlock(self->actions);
	return hears;
}

/* How a child ended is for the kernel to say; it has ended, or is about to. */
static void fill_child(struct kernel_siginfo *info, int32_t pid)
{
	struct kernel_siginfo found = { 0 };

	sys(__NR_waitid, P_PID, pid, &found, WEXITED | WNOWAIT | WAIT_ALL, 0);
	if (!found.signo)
		return;
	info->code = found.code;
	info->child.uid = found.child.uid;
	info->child.status = found.child.status;
}

static struct kernel_siginfo info_of(const struct posted *posted)
{
	return (struct kernel_siginfo){
		.signo = posted->signal,
		.code = posted->code,
		.sender = { posted->pid, (int32_t)posted->uid, posted->value },
	};
}

/* By now the kernel has told of it as well: where that waits, it would take the place of ours. If
 * one of ours waits, that stays. */
static void take_chance_away(struct kernel_siginfo *info)
{
	const sigmask_t set = SIG_BIT(SIGCHLD);
	const int64_t at_once[2] = { 0, 0 };
	struct kernel_siginfo found;

	info->mark = MARK_IN_TURN;
	while (info->signo == SIGCHLD &&
		sys(__NR_rt_sigtimedwait, &set, &found, at_once, sizeof(set)) == SIGCHLD)
		if (!signal_is_chance(&found))
			*info = found;
}

static void send_to_self(struct thread *self, const struct posted *posted)
{
	struct kernel_siginfo info = info_of(posted);
	bool changes = posted->code == CLD_STOPPED || posted->code == CLD_CONTINUED;

	if (changes && !hears_of_stops(self))
		return;
	turn_hold(self);
	if (posted->code > 0 && !changes) {
		fill_child(&info, posted->pid);
		take_chance_away(&info);
	}
	turn_release(self);
	own_signal(self, &info, (int32_t)posted->thread);
}

void post_to(struct thread *self, uint32_t index, const struct posted *posted)
{
	if (index == task_at(self->task)->process)
		send_to_self(self, posted);
	else
		post(self->task, index, posted);
}

void posts_take(struct thread *self)
{
	struct mailbox *box = mailbox_of(task_at(self->task)->process);

	clock_tell(self);
	self->posts_due = clock_now(self) + POSTS_PERIOD;
	if (!__atomic_load_n(&box->count, __ATOMIC_ACQUIRE))
		return;
	/* Each may end or stop the process: what is taken is gone. */
	while (box->count) {
		struct posted posted = box->posted[0];

		box->count = box->count < POSTED_MAX ? box->count - 1 : POSTED_MAX - 1;
		memmove(&box->posted[0], &box->posted[1], box->count * sizeof(posted));
		send_to_self(self, &posted);
	}
}

/* A process that was killed makes no more events: wait until that is certain. */
static void await_end(struct thread *self, uint32_t index)
{
	const int64_t nap[2] = { 0, 50000 };

	turn_hold(self);
	while (child_lives(index))
		sys(__NR_nanosleep, nap, 0);
	turn_release(self);
}

/* The receiver cannot be asked to do it to itself in its next turn. */
static long kill_at_once(struct thread *self, uint32_t index)
{
	long r = sys(__NR_kill, task_at(index)->pid, SIGKILL);

	if (r)
		return r;
	await_end(self, index);
	ahead_stops(self, index);
	child_died(self->task, index, task_at(index)->generation);
	return 0;
}

/* Nor can one that is stopped; it has been since an event of its own. */
static long continue_at_once(struct thread *self, uint32_t index)
{
	long r;

	turn_continue(self, index);
	r = sys(__NR_kill, task_at(index)->pid, SIGCONT);
	child_stopped(self->task, index, SIGCONT);
	return r;
}

/* Does a task of the process block in the kernel, where only the kernel can interrupt it? */
static bool is_away(uint32_t index)
{
	uint32_t end = tasks_end();

	for (uint32_t i = 0; i < end; i++)
		if (task_at(i)->state == TASK_LIVE && task_at(i)->process == index &&
			turn_is_away(i))
			return true;
	return false;
}

static long send_really(int32_t pid, const struct posted *posted)
{
	const struct kernel_siginfo info = info_of(posted);

	if (posted->code == SI_USER)
		return sys(__NR_kill, pid, posted->signal);
	if (posted->code == SI_TKILL)
		return sys(__NR_tgkill, pid, posted->thread, posted->signal);
	if (posted->thread)
		return sys(__NR_rt_tgsigqueueinfo, pid, posted->thread, posted->signal, &info);
	return sys(__NR_rt_sigqueueinfo, pid, posted->signal, &info);
}

/* One process, which is not the caller's. */
static long send_to(struct thread *self, uint32_t index, const struct posted *posted)
{
	int32_t pid = task_at(index)->pid;
	long r = sys(__NR_kill, pid, 0);

	if (r || !posted->signal)
		return r;
	if (posted->signal == SIGKILL)
		return kill_at_once(self, index);
	if (posted->signal == SIGCONT) {
		forget_stops(mailbox_of(index));
		if (turn_is_stopped(index))
			return continue_at_once(self, index);
	}
	return is_away(index) ? send_really(pid, posted) : post(self->task, index, posted);
}

static struct posted posted_by(struct thread *self, uint64_t signal, int32_t code)
{
	return (struct posted){
		.signal = (int32_t)signal,
		.code = code,
		.pid = task_at(self->task)->pid,
		.uid = (uint32_t)sys(__NR_getuid),
	};
}

static long send_to_own(struct thread *self, const struct posted *posted)
{
	const struct kernel_siginfo info = info_of(posted);

	return own_signal(self, &info, (int32_t)posted->thread);
}

/* Is it the first task of a process in the group, or of any when that is -1? */
static bool is_in_group(uint32_t index, const void *which)
{
	const struct task *task = task_at(index);
	long group = *(const long *)which;

	return task->state == TASK_LIVE && task->process == index &&
	       (group == -1 || sys(__NR_getpgid, task->pid) == group);
}

/* All of a group, or all there are; the caller's own process is the last. */
static long send_to_many(struct thread *self, long group, const struct posted *posted)
{
	struct births walk = { .filter = is_in_group, .which = &group };
	uint32_t own = task_at(self->task)->process, index;
	long best = -ESRCH, r;

	while ((index = births_next(&walk)) != NO_TASK) {
		if (index == own)
			continue;
		r = send_to(self, index, posted);
		if (best)
			best = r;
	}
	if (group != -1 && sys(__NR_getpgid, 0) == group)
		best = send_to_own(self, posted);
	return best;
}

long handle_kill(struct thread *self)
{
	long pid = (int32_t)argument(self, 0);
	const struct posted posted = posted_by(self, argument(self, 1), SI_USER);
	uint32_t index;

	if (argument(self, 1) > SIGNALS)
		return -EINVAL;
	if (pid == 0)
		return send_to_many(self, sys(__NR_getpgid, 0), &posted);
	if (pid < 0)
		return send_to_many(self, pid == -1 ? -1 : -pid, &posted);
	index = task_find(self, (int32_t)pid);
	if (index == NO_TASK)
		return pass_on(self);
	if (task_at(index)->process == task_at(self->task)->process)
		return send_to_own(self, &posted);
	return send_to(self, task_at(index)->process, &posted);
}

/* `pid`: the process that it must be of, or 0. */
static long send_to_thread(struct thread *self, int32_t pid, int32_t tid, struct posted posted)
{
	uint32_t index = task_find(self, tid);

	if (index == NO_TASK || (pid && task_at(index)->pid != pid))
		return pass_on(self);
	posted.thread = (uint32_t)tid;
	if (task_at(index)->process == task_at(self->task)->process)
		return send_to_own(self, &posted);
	return send_to(self, task_at(index)->process, &posted);
}

long handle_tkill(struct thread *self)
{
	if (argument(self, 1) > SIGNALS || (int32_t)argument(self, 0) <= 0)
		return pass_on(self);
	return send_to_thread(
		self, 0, (int32_t)argument(self, 0), posted_by(self, argument(self, 1), SI_TKILL));
}

long handle_tgkill(struct thread *self)
{
	if (argument(self, 2) > SIGNALS || (int32_t)argument(self, 1) <= 0 ||
		(int32_t)argument(self, 0) <= 0)
		return pass_on(self);
	return send_to_thread(self, (int32_t)argument(self, 0), (int32_t)argument(self, 1),
		posted_by(self, argument(self, 2), SI_TKILL));
}

/* The sender chose what to say; to others it may not pretend to be the kernel. */
static long queue(struct thread *self, int32_t pid, uint64_t signal, uint64_t place, bool thread)
{
	uint32_t index = task_find(self, pid);
	struct kernel_siginfo info;
	struct posted posted;

	if (index == NO_TASK || signal > SIGNALS || copy_in(&info, place, sizeof(info)))
		return pass_on(self);
	if (task_at(index)->process == task_at(self->task)->process) {
		info.signo = (int32_t)signal;
		return own_signal(self, &info, thread ? pid : 0);
	}
	if (info.code >= 0 || info.code == SI_TKILL)
		return pass_on(self);
	posted = posted_by(self, signal, info.code);
	posted.pid = info.sender.pid;
	posted.uid = (uint32_t)info.sender.uid;
	posted.value = info.sender.value;
	posted.thread = thread ? (uint32_t)pid : 0;
	return send_to(self, task_at(index)->process, &posted);
}

long handle_rt_sigqueueinfo(struct thread *self)
{
	return queue(self, (int32_t)argument(self, 0), argument(self, 1), argument(self, 2), false);
}

long handle_rt_tgsigqueueinfo(struct thread *self)
{
	return queue(self, (int32_t)argument(self, 1), argument(self, 2), argument(self, 3), true);
}
