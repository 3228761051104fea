#include "guest/limits.h"

#include "guest/futex.h"
#include "guest/handlers.h"
#include "guest/waits.h"

#define FUTEX_COMMAND	     0x7f
#define FUTEX_CLOCK_REALTIME 256
#define FUTEX_LOCK_PI	     6
#define FUTEX_WAIT_BITSET    9
#define FUTEX_REQUEUE_PI     11 /* FUTEX_WAIT_REQUEUE_PI */
#define FUTEX_LOCK_PI2	     13
#define IPC_NOWAIT	     04000
#define SEMOPS_MAX	     500

/* How a call takes its limit. */
enum limit_kind {
	LIMIT_SPAN, /* a span of time */
	LIMIT_UP,   /* a time of CLOCK_MONOTONIC */
	LIMIT_WALL, /* a time of CLOCK_REALTIME */
};

/* A call with a limit: which argument it is, and how it is meant. */
struct limited {
	int at;
	enum limit_kind given, real;
};

/* The kernel's own time in ns; its clocks are not those of the program. */
static struct timespec64 real_after(enum limit_kind kind, uint64_t ns)
{
	struct timespec64 now = { 0, 0 }, span = span_of(ns);

	if (kind == LIMIT_SPAN)
		return span;
	if (ns == 0)
		return now; /* long past */
	sys(__NR_clock_gettime, kind == LIMIT_UP ? CLOCK_MONOTONIC : CLOCK_REALTIME, &now);
	now.sec += span.sec;
	now.nsec += span.nsec;
	if (now.nsec >= NSEC_PER_SEC) {
		now.nsec -= NSEC_PER_SEC;
		now.sec++;
	}
	return now;
}

static long attempt_limited(struct thread *self, struct wait *wait, uint64_t ns)
{
	const struct limited *how = (const struct limited *)wait->args[0];
	struct timespec64 limit = real_after(how->real, ns);
	uint64_t a[6];

	for (int i = 0; i < 6; i++)
		a[i] = argument(self, i);
	a[how->at] = ns == NEVER ? 0 : (uint64_t)&limit;
	if (how->given != how->real)
		a[1] &= ~(uint64_t)FUTEX_CLOCK_REALTIME;
	return sys_window(self->regs.rax, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long run_limited(struct thread *self, const struct limited *how, long nothing, bool restarts)
{
	struct wait wait = {
		.attempt = attempt_limited,
		.nothing = nothing,
		.restarts = restarts,
		.args = { (long)how },
	};
	struct timespec64 limit;

	if (copy_in(&limit, argument(self, how->at), sizeof(limit)))
		return -EFAULT;
	if (!span_valid(&limit))
		return -EINVAL;
	if (how->given == LIMIT_SPAN)
		wait.deadline = wait_deadline(self, span_ns(&limit));
	else
		wait.deadline = clock_when(
			how->given == LIMIT_UP ? CLOCK_MONOTONIC : CLOCK_REALTIME, &limit);
	return wait_until(self, &wait);
}

long futex_natively(struct thread *self)
{
	uint64_t command = argument(self, 1) & FUTEX_COMMAND;
	bool wall = argument(self, 1) & FUTEX_CLOCK_REALTIME;
	struct limited how = { 3, wall ? LIMIT_WALL : LIMIT_UP, LIMIT_UP };

	if (!argument(self, 3))
		return pass_on(self);
	switch (command) {
	case FUTEX_WAIT:
		if (wall)
			return pass_on(self); /* there is no such call */
		how.given = how.real = LIMIT_SPAN;
		break;
	case FUTEX_LOCK_PI:
		how.given = how.real = LIMIT_WALL;
		break;
	case FUTEX_WAIT_BITSET:
	case FUTEX_REQUEUE_PI:
	case FUTEX_LOCK_PI2:
		break;
	default:
		return pass_on(self);
	}
	return run_limited(self, &how, -ETIMEDOUT, false);
}

/* Does one of the operations say that it does not want to wait? */
static bool waits_not(uint64_t operations, uint64_t count)
{
	int16_t operation[3]; /* number, change, flags */

	for (uint64_t i = 0; i < count; i++)
		if (copy_in(operation, operations + i * sizeof(operation), sizeof(operation)) ||
			(operation[2] & IPC_NOWAIT))
			return true;
	return false;
}

long limited_semop(struct thread *self)
{
	static const struct limited how = { 3, LIMIT_SPAN, LIMIT_SPAN };

	if (!argument(self, 3) || argument(self, 2) > SEMOPS_MAX ||
		waits_not(argument(self, 1), argument(self, 2)))
		return pass_on(self);
	return run_limited(self, &how, -EAGAIN, false);
}

long limited_queue(struct thread *self)
{
	static const struct limited how = { 4, LIMIT_WALL, LIMIT_WALL };

	return argument(self, 4) ? run_limited(self, &how, -ETIMEDOUT, true) : pass_on(self);
}

/* What came before the limit is given even when it is less than was wanted, so it cannot be
 * tried. */
long handle_io_getevents(struct thread *self)
{
	struct timespec64 span;
	long r;

	if (!argument(self, 4))
		return pass_on(self);
	if (copy_in(&span, argument(self, 4), sizeof(span)))
		return -EFAULT;
	r = pass_on(self);
	if (r >= 0 && r < (long)argument(self, 1))
		clock_join(self, wait_deadline(self, span_ns(&span)));
	return r;
}
