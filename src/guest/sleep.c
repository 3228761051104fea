/* Sleeping, and waiting for signals: nothing but time, or a signal, ends these calls. */
#include "guest/handlers.h"
#include "guest/own_signals.h"
#include "guest/signal.h"
#include "guest/timers.h"
#include "guest/turn.h"
#include "guest/waits.h"

static long attempt_sleep(struct thread *self, struct wait *wait, uint64_t ns)
{
	const struct timespec64 limit = span_of(ns);
	sigmask_t real = wait->mask ? real_mask(*wait->mask) : 0;

	if (ns == 0 && !wait->mask)
		return self->pending ? -RESTART : 0;
	return sys_window(__NR_ppoll, 0, 0, ns == NEVER ? NULL : &limit, wait->mask ? &real : NULL,
		sizeof(real));
}

static long sleep_until(struct thread *self, uint64_t deadline, uint64_t left_at)
{
	struct wait wait = { .attempt = attempt_sleep, .deadline = deadline, .parks = PARK_SIGNAL };
	struct timespec64 left;
	long r;

	r = wait_until(self, &wait);
	if (r != -EINTR)
		return r;
	left = span_of(wait_left(self, &wait));
	if (!left.sec && !left.nsec)
		return 0; /* the signal came with the end */
	return left_at && copy_out(left_at, &left, sizeof(left)) ? -EFAULT : -EINTR;
}

long handle_nanosleep(struct thread *self)
{
	struct timespec64 span;

	if (copy_in(&span, argument(self, 0), sizeof(span)))
		return -EFAULT;
	if (!span_valid(&span))
		return -EINVAL;
	return sleep_until(self, wait_deadline(self, span_ns(&span)), argument(self, 1));
}

/* CPU time passes by computing, so this is what the sleeper does. */
static long sleep_by_cpu(struct thread *self, int32_t id, bool absolute, uint64_t ns)
{
	struct timespec64 now;
	uint64_t shown;

	if (clock_show(self, id, clock_now(self), &now))
		return -EINVAL;
	shown = span_ns(&now);
	if (absolute)
		ns = ns > shown ? ns - shown : 0;
	clock_advance(self, ns);
	return 0;
}

static long sleepable(int32_t id)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_MONOTONIC:
	case CLOCK_BOOTTIME:
	case CLOCK_TAI:
	case CLOCK_PROCESS_CPUTIME_ID:
		return 0;
	case CLOCK_REALTIME_ALARM:
	case CLOCK_BOOTTIME_ALARM:
		return -EPERM;
	default:
		return id < 0			     ? (clock_kind(id) == KIND_CPU ? 0 : -EINVAL)
		       : clock_kind(id) == KIND_NONE ? -EINVAL
						     : -EOPNOTSUPP;
	}
}

long handle_clock_nanosleep(struct thread *self)
{
	int32_t id = (int32_t)argument(self, 0);
	bool absolute = argument(self, 1) & TIMER_ABSTIME;
	struct timespec64 span;
	uint64_t deadline;
	long r = sleepable(id);

	if (r && r != -EPERM)
		return r;
	if (copy_in(&span, argument(self, 2), sizeof(span)))
		return -EFAULT;
	if (!span_valid(&span))
		return -EINVAL;
	if (r)
		return r;
	if (clock_kind(id) == KIND_CPU)
		return sleep_by_cpu(self, id, absolute, span_ns(&span));
	deadline = absolute ? clock_when(id, &span) : wait_deadline(self, span_ns(&span));
	return sleep_until(self, deadline, absolute ? 0 : argument(self, 3));
}

long handle_pause(struct thread *self)
{
	struct wait wait = { .attempt = attempt_sleep, .deadline = NEVER, .parks = PARK_SIGNAL };

	return wait_until(self, &wait);
}

long handle_rt_sigsuspend(struct thread *self)
{
	struct wait wait = { .attempt = attempt_sleep, .deadline = NEVER, .parks = PARK_SIGNAL };
	sigmask_t mask;

	if (argument(self, 1) != sizeof(mask))
		return -EINVAL;
	if (copy_in(&mask, argument(self, 0), sizeof(mask)))
		return -EFAULT;
	wait.mask = &mask;
	return wait_masked(self, &wait);
}

/* SIGCHLD tells how long the child computed: its parent is told by other means, in logical time. */
static long attempt_signal(struct thread *self, struct wait *wait, uint64_t ns)
{
	sigmask_t *set = (sigmask_t *)wait->args[0];
	struct kernel_siginfo *info = (struct kernel_siginfo *)wait->args[1];
	const struct timespec64 limit = span_of(ns);
	long r;

	/* The guest's own signals never wait in the kernel's queue: one that arrives interrupts. */
	do {
		r = signal_take_held(self, *set, info);
		if (r)
			return r;
		r = sys_window(
			__NR_rt_sigtimedwait, set, info, ns == NEVER ? NULL : &limit, sizeof(*set));
	} while (r == -EINTR && (self->held & *set));
	if (r > 0)
		own_signal_undisguise(info);
	if (r > 0 && !(process.relax & RELAX_TIME)) {
		signal_scrub(info);
		timers_arrived(self, info);
	}
	return r;
}

long handle_rt_sigtimedwait(struct thread *self)
{
	struct kernel_siginfo info;
	struct timespec64 span;
	sigmask_t set;
	struct wait wait = {
		.attempt = attempt_signal,
		.parks = PARK_SIGNAL,
		.nothing = -EAGAIN,
		.deadline = NEVER,
		.args = { (long)&set, (long)&info },
	};
	long r;

	if (argument(self, 3) != sizeof(set))
		return -EINVAL;
	if (copy_in(&set, argument(self, 0), sizeof(set)))
		return -EFAULT;
	if (argument(self, 2)) {
		if (copy_in(&span, argument(self, 2), sizeof(span)))
			return -EFAULT;
		if (!span_valid(&span))
			return -EINVAL;
		wait.deadline = wait_deadline(self, span_ns(&span));
	}
	r = wait_until(self, &wait);
	if (r > 0 && argument(self, 1) && copy_out(argument(self, 1), &info, sizeof(info)))
		return -EFAULT;
	return r;
}
