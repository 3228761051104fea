#include "guest/terminal_signals.h"

#include "guest/children.h"
#include "guest/lines.h"
#include "guest/posts.h"
#include "guest/process.h"
#include "guest/sys.h"
#include "guest/task.h"
#include "guest/text.h"
#include "guest/turn.h"

#define SIGTSTP	      20
#define POSTED	      (-128) /* as a signal's code: the kernel's own, by way of a mailbox */
#define UNDONE	      (-129) /* likewise: ends a stop that has not happened in logical time */
#define ARRIVES_TIMES 400    /* naps until a signal that does not arrive is taken to be blocked */

static uint64_t *expected_of(uint32_t index)
{
	return &process.arena->expected_signals[index];
}

/* The next process from slot `at` on that is meant; NO_TASK: none. */
static uint32_t next_receiver(int32_t pid, uint32_t at)
{
	for (uint32_t end = tasks_end(); at < end; at++) {
		const struct task *task = task_at(at);

		if (task->state == TASK_LIVE && task->process == at &&
			(pid > 0 ? task->pid == pid : sys(__NR_getpgid, task->pid) == -pid))
			return at;
	}
	return NO_TASK;
}

void terminal_signals_begin(int32_t pid, sigmask_t signals)
{
	if (!signals || !pid)
		return;
	for (uint32_t i = 0; (i = next_receiver(pid, i)) != NO_TASK; i++)
		__atomic_or_fetch(expected_of(i), signals, __ATOMIC_SEQ_CST);
}

static sigmask_t mask_in_status(int32_t pid, const char *label)
{
	struct lines lines;
	sigmask_t mask = 0;
	char path[32], *line;

	text_put(text_put_number(path, pid), "/status");
	lines_open(&lines, path);
	while ((line = lines_next(&lines))) {
		const char *at = after_prefix(line, label);

		if (!at)
			continue;
		at = skip_spaces(at);
		mask = parse_hex(&at);
		break;
	}
	lines_close(&lines);
	return mask;
}

static void nap(void)
{
	const int64_t span[2] = { 0, 50000 };

	sys(__NR_nanosleep, span, 0);
}

/* Waits until the receiver has dropped it; false: it did not get it. */
static bool was_dropped(uint32_t index, sigmask_t bit)
{
	for (int i = 0; i < ARRIVES_TIMES; i++) {
		if (!(__atomic_load_n(expected_of(index), __ATOMIC_SEQ_CST) & bit))
			return true;
		nap();
	}
	return false;
}

static void post_one(struct thread *self, uint32_t index, int signal)
{
	const struct posted posted = { .signal = signal, .code = POSTED };

	post_to(self, index, &posted);
}

static bool reaches(uint32_t index, bool stopped)
{
	for (int i = 0; i < ARRIVES_TIMES && child_lives(index); i++) {
		if ((task_state(index) == 'T') == stopped)
			return true;
		nap();
	}
	return false;
}

/* It is to stop in its own turn: the kernel's stop is undone, and the signal posted. It may not
 * stop at all, if its group is an orphan. */
static void await_stop(struct thread *self, uint32_t index, int signal)
{
	const struct kernel_siginfo undo = { .signo = SIGCONT, .code = UNDONE };

	if (!reaches(index, true))
		return;
	sys(__NR_rt_sigqueueinfo, task_at(index)->pid, undo.signo, &undo);
	reaches(index, false);
	post_one(self, index, signal);
}

/* It dies, unless it blocks the signal. */
static void await_end(struct thread *self, uint32_t index)
{
	uint32_t generation = task_at(index)->generation;

	for (int i = 0; i < ARRIVES_TIMES && child_lives(index); i++)
		nap();
	if (!child_lives(index))
		child_died(self->task, index, generation);
}

static void complete(struct thread *self, uint32_t index, int signal)
{
	int32_t pid = task_at(index)->pid;

	if (mask_in_status(pid, "SigCgt:") & SIG_BIT(signal)) {
		if (was_dropped(index, SIG_BIT(signal)))
			post_one(self, index, signal);
	} else if (signal != SIGCONT && signal != SIGWINCH &&
		   !(mask_in_status(pid, "SigIgn:") & SIG_BIT(signal))) {
		if (signal == SIGTSTP)
			await_stop(self, index, signal);
		else
			await_end(self, index);
	}
	__atomic_and_fetch(expected_of(index), ~SIG_BIT(signal), __ATOMIC_SEQ_CST);
}

static void cancel(uint32_t index, sigmask_t signals)
{
	__atomic_and_fetch(expected_of(index), ~signals, __ATOMIC_SEQ_CST);
}

bool terminal_signals_reach_others(const struct thread *self, int32_t pid)
{
	for (uint32_t i = 0; (i = next_receiver(pid, i)) != NO_TASK; i++)
		if (i != task_at(self->task)->process)
			return true;
	return false;
}

/* The calling process blocks them itself: they stay with the kernel. */
static bool blocks(const struct thread *self, uint32_t index, sigmask_t signals)
{
	sigmask_t mask = 0;

	if (index == task_at(self->task)->process)
		sys(__NR_rt_sigprocmask, SIG_BLOCK, 0, &mask, sizeof(mask));
	return mask & signals;
}

void terminal_signals_end(struct thread *self, int32_t pid, sigmask_t signals, bool caused)
{
	if (!signals || !pid)
		return;
	turn_hold(self);
	for (uint32_t i = 0; (i = next_receiver(pid, i)) != NO_TASK; i++) {
		bool completes = caused && !blocks(self, i, signals);

		if (!completes)
			cancel(i, signals);
		for (sigmask_t left = completes ? signals : 0; left; left &= left - 1)
			complete(self, i, __builtin_ctzll(left) + 1);
	}
	turn_release(self);
}

bool terminal_signal_arrived(const struct thread *self, struct kernel_siginfo *info)
{
	uint64_t *expected = expected_of(task_at(self->task)->process);
	sigmask_t bit = SIG_BIT(info->signo);

	if (info->code == UNDONE)
		return true;
	if (info->code == POSTED) {
		info->code = SI_KERNEL;
		return false;
	}
	return info->code == SI_KERNEL && (*expected & bit) &&
	       (__atomic_fetch_and(expected, ~bit, __ATOMIC_SEQ_CST) & bit);
}
