/* timer_create's timers. The kernel has a timer for each, with the same number and the same
 * signal. */
#include "guest/handlers.h"
#include "guest/task.h"
#include "guest/timers.h"
#include "guest/turn.h"

#define TIMERS	     256 /* more than that are left to real time */
#define SIGEV_NONE   1
#define SIGEV_TO_TID 4
#define SI_TIMER     (-2)
#define SIGALRM	     14
#define OVERRUN_MAX  0x7fffffff

struct sigevent64 {
	uint64_t value;
	int32_t signo, notify, tid, pad[11];
};
_Static_assert(sizeof(struct sigevent64) == 64, "struct sigevent");

struct posix_timer {
	bool used, sent;
	int32_t id, clock;
	struct sigevent64 event;
	int32_t overrun;
	struct interval interval;
};

static struct posix_timer timers[TIMERS];
static uint32_t end HOT; /* from here on they were never used: pages that need not be touched */
static uint32_t owner
	HOT; /* task of the process that they belong to: a vfork's child sees them too */

static bool own(const struct thread *self)
{
	return owner == task_at(self->task)->process;
}

static struct posix_timer *find(const struct thread *self, int32_t id)
{
	for (uint32_t i = 0; own(self) && i < end; i++)
		if (timers[i].used && timers[i].id == id)
			return &timers[i];
	return NULL;
}

static bool by_cpu(const struct posix_timer *t)
{
	return clock_kind(t->clock) >= KIND_CPU;
}

static uint64_t timer_now(const struct thread *self, const struct posix_timer *t)
{
	struct timespec64 now = { 0, 0 };

	if (!by_cpu(t))
		return clock_now(self);
	clock_show(self, t->clock, clock_now(self), &now);
	return span_ns(&now);
}

uint64_t posix_timers_next(const struct thread *self, bool awake)
{
	uint64_t next = NEVER;

	for (uint32_t i = 0; own(self) && i < end; i++) {
		const struct posix_timer *t = &timers[i];
		uint64_t due = t->interval.deadline;

		if (!t->used || !interval_armed(&t->interval) || (awake && by_cpu(t)))
			continue;
		if (t->interval.instant == INSTANT_SOON)
			due = 0;
		else if (by_cpu(t))
			due += clock_owner(self)->idle;
		next = due < next ? due : next;
	}
	return next;
}

void posix_timers_again(void)
{
	for (uint32_t i = 0; i < end; i++)
		interval_again(&timers[i].interval);
}

void posix_timers_awaited(void)
{
	for (uint32_t i = 0; i < end; i++)
		interval_awaited(&timers[i].interval);
}

void posix_timers_forget(void)
{
	memset(timers, 0, end * sizeof(timers[0]));
	end = 0;
	owner = 0;
}

/* The real timer behind it: for as long as natively. */
static void back(const struct thread *self, const struct posix_timer *t)
{
	uint64_t now = timer_now(self, t), deadline = t->interval.deadline;
	uint64_t value = !deadline ? 0 : deadline > now ? deadline - now : 1000;
	const struct timespec64 real[2] = { span_of(t->interval.period), span_of(value) };

	if (!turns_matter())
		sys(__NR_timer_settime, t->id, 0, real, 0);
}

/* Has the signal that it sent last not been taken yet? Then there is no second one. */
static bool unseen(const struct posix_timer *t)
{
	sigmask_t pending = 0;

	sys(__NR_rt_sigpending, &pending, sizeof(pending));
	return pending & SIG_BIT(t->event.signo);
}

static void send(struct thread *self, struct posix_timer *t)
{
	struct kernel_siginfo info = { .signo = t->event.signo, .code = SI_TIMER };

	info.sender.pid = t->id;
	info.sender.uid = t->overrun;
	info.sender.value = t->event.value;
	__atomic_store_n(&t->sent, true, __ATOMIC_RELAXED);
	timers_send(self, &info, t->event.notify & SIGEV_TO_TID ? t->event.tid : 0);
}

static void fire(struct thread *self, struct posix_timer *t)
{
	uint64_t passes = interval_pass(&t->interval, timer_now(self, t));
	uint64_t overrun = passes - 1;

	back(self, t);
	if (t->event.notify == SIGEV_NONE)
		return;
	if (unseen(t)) {
		overrun = (uint64_t)t->overrun + passes;
		t->overrun = overrun > OVERRUN_MAX ? OVERRUN_MAX : (int32_t)overrun;
		return;
	}
	t->overrun = overrun > OVERRUN_MAX ? OVERRUN_MAX : (int32_t)overrun;
	send(self, t);
}

void posix_timers_fire(struct thread *self)
{
	for (uint32_t i = 0; own(self) && i < end; i++) {
		struct posix_timer *t = &timers[i];

		if (t->used && interval_due(&t->interval, timer_now(self, t)))
			fire(self, t);
	}
}

void posix_timers_arrived(struct thread *self, const struct kernel_siginfo *info)
{
	struct posix_timer *t = info->code == SI_TIMER ? find(self, info->sender.pid) : NULL;
	uint64_t deadline;

	if (!t || __atomic_exchange_n(&t->sent, false, __ATOMIC_RELAXED))
		return;
	deadline = t->interval.deadline;
	if (!deadline)
		return;
	if (!by_cpu(t))
		clock_join(self, deadline);
	else if (timer_now(self, t) < deadline)
		clock_advance(self, deadline - timer_now(self, t));
	__atomic_compare_exchange_n(&t->interval.deadline, &deadline,
		t->interval.period ? deadline + t->interval.period : 0, false, __ATOMIC_RELAXED,
		__ATOMIC_RELAXED);
}

static struct posix_timer *unused(const struct thread *self)
{
	if (!own(self)) {
		posix_timers_forget();
		owner = task_at(self->task)->process;
	}
	for (uint32_t i = 0; i < TIMERS; i++)
		if (!timers[i].used) {
			end = i < end ? end : i + 1;
			return &timers[i];
		}
	return NULL;
}

static long clock_for_timer(const struct thread *self, int32_t id)
{
	struct timespec64 now;

	if (clock_show(self, id, 0, &now))
		return -EINVAL;
	switch (id) {
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_MONOTONIC_COARSE:
		return -EOPNOTSUPP;
	case CLOCK_REALTIME_ALARM:
	case CLOCK_BOOTTIME_ALARM:
		return -EPERM;
	default:
		return 0;
	}
}

static long create(struct thread *self, int32_t clock, uint64_t event, uint64_t place)
{
	struct posix_timer *t = unused(self);
	struct sigevent64 how = { .signo = SIGALRM };
	int32_t id;
	long r;

	if (!t)
		return -EAGAIN;
	if (event && copy_in(&how, event, sizeof(how)))
		return -EFAULT;
	r = sys_window(__NR_timer_create, CLOCK_MONOTONIC, event ? &how : NULL, &id);
	if (r)
		return r;
	if (!event)
		how.value = (uint32_t)id;
	*t = (struct posix_timer){ .used = true, .id = id, .clock = clock, .event = how };
	if (copy_out(place, &id, sizeof(id)) == 0)
		return 0;
	sys(__NR_timer_delete, id);
	t->used = false;
	return -EFAULT;
}

long handle_timer_create(struct thread *self)
{
	int32_t clock = (int32_t)argument(self, 0);
	long r = clock_for_timer(self, clock);

	if (r)
		return r;
	timers_lock();
	r = create(self, clock, argument(self, 1), argument(self, 2));
	timers_unlock();
	return r;
}

/* Period and what is left, as timer_gettime has them. */
static void tell(const struct thread *self, const struct posix_timer *t, struct timespec64 told[2])
{
	uint64_t now = timer_now(self, t), left = 0;

	if (interval_armed(&t->interval))
		left = t->interval.deadline > now ? t->interval.deadline - now : 1;
	/* One that tells nobody shows 0 once it is over. */
	if (left == 1 && t->event.notify == SIGEV_NONE)
		left = 0;
	told[0] = span_of(t->interval.period);
	told[1] = span_of(left);
}

static uint64_t deadline_of(struct thread *self, const struct posix_timer *t, uint64_t flags,
	const struct timespec64 *at)
{
	uint64_t ns = span_ns(at), now = timer_now(self, t);

	if (ns == NEVER)
		ns = 1ull << 62;
	if (!(flags & TIMER_ABSTIME))
		return now + ns;
	if (by_cpu(t))
		return ns;
	ns = clock_when(t->clock, at);
	return ns ? ns : 1;
}

static void arm(
	struct thread *self, struct posix_timer *t, uint64_t flags, const struct timespec64 new[2])
{
	bool armed = new[1].sec || new[1].nsec;
	uint64_t period = span_ns(&new[0]);

	interval_arm(&t->interval, armed ? deadline_of(self, t, flags, &new[1]) : 0,
		period == NEVER ? 1ull << 62 : period);
	t->overrun = 0;
	t->sent = false;
	back(self, t);
	timers_changed(posix_timers_next(self, false));
	timers_note(self);
}

long handle_timer_settime(struct thread *self)
{
	struct timespec64 new[2], old[2];
	struct posix_timer *t;

	if (!argument(self, 2))
		return -EINVAL;
	if (copy_in(new, argument(self, 2), sizeof(new)))
		return -EFAULT;
	if (!span_valid(&new[0]) || !span_valid(&new[1]))
		return -EINVAL;
	clock_look(self);
	timers_check(self);
	timers_lock();
	t = find(self, (int32_t)argument(self, 0));
	if (t) {
		tell(self, t, old);
		arm(self, t, argument(self, 1), new);
	}
	timers_unlock();
	if (!t)
		return -EINVAL;
	return argument(self, 3) ? copy_out(argument(self, 3), old, sizeof(old)) : 0;
}

long handle_timer_gettime(struct thread *self)
{
	struct timespec64 told[2];
	struct posix_timer *t;

	clock_look(self);
	timers_check(self);
	timers_lock();
	t = find(self, (int32_t)argument(self, 0));
	if (t)
		tell(self, t, told);
	timers_unlock();
	return t ? copy_out(argument(self, 1), told, sizeof(told)) : -EINVAL;
}

long handle_timer_getoverrun(struct thread *self)
{
	const struct posix_timer *t = find(self, (int32_t)argument(self, 0));

	return t ? t->overrun : -EINVAL;
}

long handle_timer_delete(struct thread *self)
{
	struct posix_timer *t;

	timers_lock();
	t = find(self, (int32_t)argument(self, 0));
	if (t) {
		t->used = false;
		timers_note(self);
	}
	timers_unlock();
	return t ? sys(__NR_timer_delete, argument(self, 0)) : -EINVAL;
}
