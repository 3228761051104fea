/* What all timers have in common, and the three of setitimer. */
#include "guest/timers.h"

#include "guest/handlers.h"
#include "guest/own_signals.h"
#include "guest/task.h"
#include "guest/turn.h"

#define ITIMER_REAL 0
#define IN_A_ROW    64 /* ticks that a program can wait for without making a call */

uint64_t timers_due = NEVER;

static uint32_t lock HOT;

/* Signals of setitimer's timers have been sent by us, and not yet arrived. */
static uint8_t sent[ITIMERS] HOT;

void timers_lock(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		sys(__NR_sched_yield);
}

void timers_unlock(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

void timers_changed(uint64_t due)
{
	uint64_t now = __atomic_load_n(&timers_due, __ATOMIC_RELAXED);

	while (due < now && !__atomic_compare_exchange_n(&timers_due, &now, due, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

void interval_arm(struct interval *interval, uint64_t deadline, uint64_t period)
{
	bool instant = deadline && timers_instant();

	*interval = (struct interval){ deadline, deadline ? period : 0,
		instant ? INSTANT_SOON : INSTANT_NOT, instant && period ? IN_A_ROW - 1 : 0 };
}

void interval_again(struct interval *interval)
{
	if (!interval->deadline || !interval->rest)
		return;
	interval->rest--;
	interval->instant = INSTANT_SOON;
}

void interval_awaited(struct interval *interval)
{
	if (interval->instant == INSTANT_OVER)
		interval->instant = INSTANT_NOT;
}

/* Before its time: the deadline stays. Without turns a real timer runs behind it, so that it will
 * fire in any case. */
static void instant_pass(struct interval *interval)
{
	bool once = !interval->period && turns_matter();

	interval->instant = once ? INSTANT_OVER : INSTANT_NOT;
}

uint64_t interval_pass(struct interval *interval, uint64_t now)
{
	uint64_t passes = 1;

	if (interval->instant == INSTANT_SOON) {
		instant_pass(interval);
		return passes;
	}
	if (!interval->period) {
		interval->deadline = 0;
		return passes;
	}
	passes += (now - interval->deadline) / interval->period;
	interval->deadline += passes * interval->period;
	return passes;
}

/* setitimer's timers: by the wall, by user time, by CPU time; here the last two are the same. */
static const int signals[ITIMERS] = { 14 /* SIGALRM */, 26 /* SIGVTALRM */, 27 /* SIGPROF */ };

static uint64_t itimer_now(const struct thread *self, int which)
{
	return which == ITIMER_REAL ? clock_now(self) : clock_cpu(clock_owner(self));
}

/* The process's clock when it fires, at the earliest. */
static uint64_t itimer_due(const struct thread *self, int which)
{
	const struct task *owner = clock_owner(self);
	const struct interval *t = &owner->itimer[which];

	if (!interval_armed(t))
		return NEVER;
	if (t->instant == INSTANT_SOON)
		return 0;
	return which == ITIMER_REAL ? t->deadline : t->deadline + owner->idle;
}

/* The real timer behind it: for as long as natively. */
static void itimer_back(const struct thread *self, int which)
{
	const struct interval *t = &clock_owner(self)->itimer[which];
	uint64_t now = itimer_now(self, which);
	uint64_t value = !t->deadline ? 0 : t->deadline > now ? t->deadline - now : 1000;
	const struct timespec64 spans[2] = { span_of(t->period), span_of(value) };
	const int64_t real[4] = { spans[0].sec, spans[0].nsec / NSEC_PER_USEC, spans[1].sec,
		spans[1].nsec / NSEC_PER_USEC };

	if (!turns_matter())
		sys(__NR_setitimer, which, real, 0);
}

void timers_send(struct thread *self, const struct kernel_siginfo *info, int32_t tid)
{
	long pid = task_at(task_at(self->task)->process)->pid;

	if (turns_matter())
		own_signal(self, info, tid);
	else if (tid)
		sys(__NR_rt_tgsigqueueinfo, pid, tid, info->signo, info);
	else
		sys(__NR_rt_sigqueueinfo, pid, info->signo, info);
}

static void itimer_fire(struct thread *self, int which)
{
	struct interval *t = &clock_owner(self)->itimer[which];
	const struct kernel_siginfo info = { .signo = signals[which], .code = SI_KERNEL };

	interval_pass(t, itimer_now(self, which));
	itimer_back(self, which);
	__atomic_store_n(&sent[which], 1, __ATOMIC_RELAXED);
	timers_send(self, &info, 0);
}

static void itimers_fire(struct thread *self)
{
	for (int i = 0; i < ITIMERS; i++) {
		const struct interval *t = &clock_owner(self)->itimer[i];

		if (interval_due(t, itimer_now(self, i)))
			itimer_fire(self, i);
	}
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t next_due(struct thread *self, bool awake)
{
	uint64_t next = least(posix_timers_next(self, awake), timer_files_next(self));

	for (int i = 0; i < (awake ? 1 : ITIMERS); i++)
		next = least(next, itimer_due(self, i));
	return next;
}

/* A vfork's child, and who has descriptors of its own, do not see all timers that this memory is
 * about: they cannot say that none is due before. */
static void note_due(struct thread *self)
{
	uint64_t next = next_due(self, false);

	if (self->other_files)
		timers_changed(next);
	else
		timers_due = next;
}

void timers_note(struct thread *self)
{
	struct task *owner = clock_owner(self);
	uint32_t alarmed = posix_timers_next(self, false) != NEVER;

	for (int i = 0; i < ITIMERS; i++)
		alarmed |= owner->itimer[i].deadline != 0;
	__atomic_store_n(&owner->alarmed, alarmed, __ATOMIC_RELAXED);
}

void timers_fire(struct thread *self)
{
	timers_lock();
	itimers_fire(self);
	posix_timers_fire(self);
	timer_files_fire(self);
	note_due(self);
	timers_note(self);
	timers_unlock();
}

void timers_again(struct thread *self)
{
	if (!timers_instant())
		return;
	timers_lock();
	for (int i = 0; i < ITIMERS; i++)
		interval_again(&clock_owner(self)->itimer[i]);
	posix_timers_again();
	note_due(self);
	timers_unlock();
	timers_check(self);
}

static void awaited(struct thread *self)
{
	for (int i = 0; i < ITIMERS; i++)
		interval_awaited(&clock_owner(self)->itimer[i]);
	posix_timers_awaited();
	note_due(self);
}

uint64_t timers_next_awake(struct thread *self)
{
	uint64_t next;

	if (timers_due == NEVER && !timers_instant())
		return NEVER;
	timers_lock();
	if (timers_instant())
		awaited(self);
	next = next_due(self, true);
	timers_unlock();
	return next;
}

void timers_program(struct thread *self)
{
	if (process.relax & RELAX_TIME)
		return;
	note_due(self);
	timers_note(self);
}

void timers_forked(struct thread *self)
{
	if (process.relax & RELAX_TIME)
		return;
	lock = 0;
	memset(sent, 0, sizeof(sent));
	posix_timers_forget();
	timers_program(self);
}

/* May interrupt the guest anywhere: takes no lock. */
void timers_arrived(struct thread *self, const struct kernel_siginfo *info)
{
	posix_timers_arrived(self, info);
	for (int i = 0; i < ITIMERS; i++) {
		struct interval *t = &clock_owner(self)->itimer[i];
		uint64_t deadline = t->deadline;

		if (info->signo != signals[i] || info->code != SI_KERNEL ||
			__atomic_exchange_n(&sent[i], 0, __ATOMIC_RELAXED) || !deadline)
			continue;
		if (i == ITIMER_REAL)
			clock_join(self, deadline);
		else if (itimer_now(self, i) < deadline)
			clock_advance(self, deadline - itimer_now(self, i));
		__atomic_compare_exchange_n(&t->deadline, &deadline,
			t->period ? deadline + t->period : 0, false, __ATOMIC_RELAXED,
			__ATOMIC_RELAXED);
	}
}

/* Remaining time and period, in us, as the kernel gives them: rounded up. */
static void itimer_tell(const struct thread *self, int which, int64_t told[4])
{
	const struct interval *t = &clock_owner(self)->itimer[which];
	uint64_t now = itimer_now(self, which), left = 0;
	struct timespec64 span;

	if (interval_armed(t))
		left = t->deadline > now + NSEC_PER_USEC ? t->deadline - now : NSEC_PER_USEC;
	span = span_of(t->period);
	told[0] = span.sec;
	told[1] = span.nsec / NSEC_PER_USEC;
	span = span_of(left);
	told[2] = span.sec;
	told[3] = span.nsec / NSEC_PER_USEC;
}

static void itimer_arm(struct thread *self, int which, uint64_t value, uint64_t period)
{
	struct interval *t = &clock_owner(self)->itimer[which];

	timers_lock();
	interval_arm(t, value ? itimer_now(self, which) + value : 0, period);
	sent[which] = 0;
	itimer_back(self, which);
	timers_changed(itimer_due(self, which));
	timers_note(self);
	timers_unlock();
}

long handle_getitimer(struct thread *self)
{
	uint32_t which = (uint32_t)argument(self, 0);
	int64_t told[4];

	if (which >= ITIMERS)
		return -EINVAL;
	clock_look(self);
	timers_check(self);
	itimer_tell(self, (int)which, told);
	return copy_out(argument(self, 1), told, sizeof(told));
}

static bool usec_valid(const int64_t *time)
{
	return time[0] >= 0 && (uint64_t)time[1] < NSEC_PER_SEC / NSEC_PER_USEC;
}

static uint64_t usec_ns(const int64_t *time)
{
	const struct timespec64 span = { time[0], time[1] * NSEC_PER_USEC };
	uint64_t ns = span_ns(&span);

	return ns == NEVER ? 1ull << 62 : ns;
}

long handle_setitimer(struct thread *self)
{
	uint32_t which = (uint32_t)argument(self, 0);
	int64_t new[4] = { 0 }, old[4];

	if (argument(self, 1) && copy_in(new, argument(self, 1), sizeof(new)))
		return -EFAULT;
	if (which >= ITIMERS || !usec_valid(new) || !usec_valid(new + 2))
		return -EINVAL;
	clock_look(self);
	timers_check(self);
	itimer_tell(self, (int)which, old);
	itimer_arm(self, (int)which, usec_ns(new + 2), usec_ns(new));
	return argument(self, 2) ? copy_out(argument(self, 2), old, sizeof(old)) : 0;
}

/* What was left is rounded to seconds, but never to none. */
long handle_alarm(struct thread *self)
{
	int64_t old[4];

	clock_look(self);
	timers_check(self);
	itimer_tell(self, ITIMER_REAL, old);
	itimer_arm(self, ITIMER_REAL, (uint32_t)argument(self, 0) * (uint64_t)NSEC_PER_SEC, 0);
	if ((old[2] == 0 && old[3]) || old[3] >= 500000)
		old[2]++;
	return old[2];
}
