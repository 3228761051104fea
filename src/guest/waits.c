#include "guest/waits.h"

#include "guest/delays.h"
#include "guest/posts.h"
#include "guest/process.h"
#include "guest/signal.h"
#include "guest/task.h"
#include "guest/timerfd.h"
#include "guest/timers.h"
#include "guest/turn.h"

#define SLICE_FIRST   200000ull	  /* ns: how long others get before it is asked whether they run */
#define SLICE_LAST    10000000ull /* the longest time between two such questions */
#define SLICE_PENDING 1000000ull

/* Blocked in the kernel, stopped or dead: somebody else must act first. */
static bool rests(const struct task *task)
{
	char state = task_state((uint32_t)(task - process.arena->tasks));

	return state != 'R' && state != 'D';
}

/* A task that has given its slot back goes on for a while in the kernel: its end is seen by others
 * who wait for it, or for what it had open. Once it is over, nobody needs to ask again. */
static bool leaving(struct task *task)
{
	int32_t tid = __atomic_load_n(&task->tid, __ATOMIC_RELAXED);
	char state = tid ? task_state((uint32_t)(task - process.arena->tasks)) : 0;

	if (state && state != 'Z' && state != 'X')
		return true;
	if (tid)
		__atomic_compare_exchange_n(
			&task->tid, &tid, 0, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return false;
}

/* May another task than this one still act? */
static struct task *next_other(const struct thread *self, uint32_t *at)
{
	while (*at < process.arena->tasks_end && *at < TASKS) {
		struct task *task = task_at((*at)++);

		if (task != task_at(self->task) && (task->state == TASK_LIVE || leaving(task)))
			return task;
	}
	return NULL;
}

static bool is_alone(const struct thread *self)
{
	uint32_t at = 0;

	return !next_other(self, &at);
}

/* Does the other one go on first, when this task wakes at `wake`? */
static bool goes_first(const struct task *other, const struct task *own, uint64_t wake)
{
	uint64_t others = __atomic_load_n(&other->wake, __ATOMIC_RELAXED);

	if (other->state != TASK_LIVE)
		return true;
	if (!others)
		return !rests(other);
	if (others > wake || (others == wake && other > own))
		return false;
	return task_state((uint32_t)(other - process.arena->tasks)); /* unless it was killed */
}

/* Is it for this task to go on, at logical time `wake`? No other one runs, or wakes before. */
static bool is_next(const struct thread *self, uint64_t wake)
{
	const struct task *other;
	uint32_t at = 0;

	while ((other = next_other(self, &at)))
		if (goes_first(other, task_at(self->task), wake))
			return false;
	return true;
}

/* Asks twice: one that was seen at rest may have been woken by one that was seen after. */
static bool is_surely_next(const struct thread *self, uint64_t wake)
{
	bool next = is_next(self, wake);

	return next && is_next(self, wake);
}

/* A signal that the mask of this wait lets through is there already: the call itself must see
 * it. */
static bool signal_waits(const struct wait *wait)
{
	sigmask_t pending = 0;

	if (!wait->mask)
		return false;
	sys(__NR_rt_sigpending, &pending, sizeof(pending));
	return pending & ~*wait->mask;
}

/* Waits really, for others to run, until the time `next` may come. */
static long linger(struct thread *self, struct wait *wait, uint64_t next)
{
	uint64_t left = next - clock_now(self), slice = SLICE_FIRST;
	struct task *own = task_at(self->task);
	long r = wait->nothing;

	if (signal_waits(wait))
		return wait->attempt(self, wait, SLICE_PENDING);
	if (is_alone(self))
		return r;
	__atomic_store_n(&own->wake, next, __ATOMIC_RELAXED);
	while (left && clock_now(self) < next) {
		uint64_t ns = slice < left ? slice : left;

		r = wait->attempt(self, wait, ns);
		if (r != wait->nothing)
			break;
		left -= ns;
		if (is_surely_next(self, next))
			break;
		slice = slice < SLICE_LAST ? slice * 2 : SLICE_LAST;
	}
	__atomic_store_n(&own->wake, 0, __ATOMIC_RELAXED);
	return r;
}

/* A signal ended the wait: whether the call is made again is for its handler to say. */
static long interrupted(struct thread *self, const struct wait *wait)
{
	struct kernel_sigaction action;

	if (!wait->restarts || !self->pending)
		return -EINTR;
	actions_lock(self->actions);
	action = signal_action(self->actions, self->pending_info.signo);
	actions_unlock(self->actions);
	return action.flags & SA_RESTART ? -RESTART : -EINTR;
}

/* With real time: as the program asked. */
static long wait_really(struct thread *self, struct wait *wait)
{
	return wait->attempt(self, wait, wait->deadline == NEVER ? NEVER : wait_left(self, wait));
}

/* By real time, while others run. */
static long wait_alone(struct thread *self, struct wait *wait)
{
	bool waited = false;

	if ((process.relax & RELAX_TIME) || (wait->deadline == NEVER && timers_due == NEVER))
		return wait_really(self, wait);
	if (process.stopped && wait->deadline != NEVER)
		clock_stood();
	for (;;) {
		uint64_t next = timers_next_awake(self);
		long r = wait->attempt(self, wait, 0);

		if (wait->deadline < next)
			next = wait->deadline;
		if (r == wait->nothing) {
			if (clock_now(self) >= wait->deadline)
				return r;
			waited = true;
			r = next == NEVER ? wait->attempt(self, wait, NEVER)
					  : linger(self, wait, next);
		}
		if ((r == -RESTART || r == -EINTR) && waited)
			return interrupted(self, wait);
		if (r != wait->nothing || next == NEVER)
			return r;
		clock_join(self, next);
		timers_check(self);
	}
}

/* Parked between attempts, with the turn taken at each. */
static long attempt_in_turn(struct thread *self, struct wait *wait)
{
	bool waited = false;

	for (;;) {
		uint64_t next = timers_next_awake(self);
		long r = wait->attempt(self, wait, 0);

		if (r == wait->nothing && signal_waits(wait))
			r = wait->attempt(self, wait, SLICE_PENDING);
		if (r == -RESTART && !self->pending)
			continue; /* it was no signal for the program */
		if ((r == -RESTART || r == -EINTR) && waited)
			return interrupted(self, wait);
		if (r != wait->nothing || clock_now(self) >= wait->deadline)
			return r;
		waited = true;
		turn_watch(self, wait->streams);
		delay_here(self);
		turn_park(self, wait->parks | PARK_SIGNAL,
			wait->deadline < next ? wait->deadline : next);
		timers_check(self);
		timer_files_settle(self);
		posts_take(self);
		/* The guest's own signals are not the kernel's to keep. */
		if (wait->mask && signal_release_held(self, *wait->mask))
			return interrupted(self, wait);
	}
}

static long wait_in_turn(struct thread *self, struct wait *wait)
{
	long r;

	self->wait_mask = wait->mask;
	r = attempt_in_turn(self, wait);
	self->wait_mask = NULL;
	return r;
}

/* Others go on while this task blocks in the kernel. */
static long wait_away(struct thread *self, struct wait *wait)
{
	long r;

	turn_away(self);
	r = wait_alone(self, wait);
	turn_back(self);
	return r;
}

long wait_until(struct thread *self, struct wait *wait)
{
	if (!turns_matter())
		return wait_alone(self, wait);
	if (process.stopped && wait->deadline != NEVER)
		clock_stood();
	/* Real time passes in the kernel only. */
	return wait->parks && (wait->deadline == NEVER || !(process.relax & RELAX_TIME))
		       ? wait_in_turn(self, wait)
		       : wait_away(self, wait);
}

long wait_for_stream(struct thread *self, struct wait *wait)
{
	wait->nothing = NOT_READY;
	wait->deadline = NEVER;
	wait->restarts = true;
	wait->parks = PARK_STREAM;
	return wait_until(self, wait);
}

long wait_masked(struct thread *self, struct wait *wait)
{
	long r = -EINTR;

	if (!wait->mask)
		return wait_until(self, wait);
	if (!signal_release_held(self, *wait->mask))
		r = wait_until(self, wait);
	self->temporary = program_mask(*wait->mask);
	self->has_temporary = r == -EINTR && self->pending;
	return r;
}
