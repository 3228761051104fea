/* Waiting for descriptors: poll, select, epoll and their variants with a mask. */
#include "guest/connections.h"
#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/pidfds.h"
#include "guest/signal.h"
#include "guest/terminals.h"
#include "guest/timerfd.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define TELLING_TIMES 200 /* naps until epoll surely has been told of what is ready */
#define SET_WORDS     64  /* of a select over 4096 descriptors; more are left to real time */

static uint64_t deadline_ms(const struct thread *self, int32_t ms)
{
	return ms < 0 ? NEVER : wait_deadline(self, (uint64_t)ms * NSEC_PER_MSEC);
}

/* A limit in the program's memory: 0, -EFAULT or -EINVAL. `unit` is the ns of its second half. */
static long deadline_at(const struct thread *self, uint64_t place, int64_t unit, uint64_t *deadline)
{
	struct timespec64 span;

	*deadline = NEVER;
	if (!place)
		return 0;
	if (copy_in(&span, place, sizeof(span)))
		return -EFAULT;
	/* select carries what is too much over; the others find it wrong. */
	if (unit > 1 && span.sec >= 0 && span.nsec >= 0) {
		span.sec += span.nsec / (NSEC_PER_SEC / unit);
		span.nsec = span.nsec % (NSEC_PER_SEC / unit) * unit;
	}
	if (!span_valid(&span))
		return -EINVAL;
	*deadline = wait_deadline(self, span_ns(&span));
	return 0;
}

/* The kernel tells how much of the limit is left, and does not care whether it can. */
static void tell_left(
	const struct thread *self, const struct wait *wait, uint64_t place, int64_t unit)
{
	struct timespec64 left = span_of(wait_left(self, wait));

	if (!place || wait->deadline == NEVER)
		return;
	left.nsec /= unit;
	copy_out(place, &left, sizeof(left));
}

/* A mask in the program's memory, with its size. */
static long mask_at(uint64_t place, uint64_t bytes, struct wait *wait, sigmask_t *mask)
{
	if (!place)
		return 0;
	if (bytes != sizeof(*mask))
		return -EINVAL;
	if (copy_in(mask, place, sizeof(*mask)))
		return -EFAULT;
	wait->mask = mask;
	return 0;
}

/* With the host's time: the call as it is, but for the mask, which is in this argument. */
static long attempt_native(struct thread *self, struct wait *wait, uint64_t ns)
{
	sigmask_t real = wait->mask ? real_mask(*wait->mask) : 0;
	const struct {
		const sigmask_t *mask;
		uint64_t bytes;
	} pair = { &real, sizeof(real) };
	long at = wait->args[0], a[6];

	(void)ns;
	for (int i = 0; i < 6; i++)
		a[i] = (long)argument(self, i);
	if (wait->mask)
		a[at] = self->regs.rax == __NR_pselect6 ? (long)&pair : (long)&real;
	return sys_window(self->regs.rax, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static long natively(struct thread *self, struct wait *wait, int mask_argument)
{
	wait->attempt = attempt_native;
	wait->args[0] = mask_argument;
	return wait_masked(self, wait);
}

/* What logical time says is ready is so by the kernel too. */
static void settle(struct thread *self)
{
	if (!turns_matter())
		return;
	timer_files_settle(self);
	pidfds_settle(self);
	terminals_settle(self);
}

/* The supervisor takes what is written, soon: there is always room for more, in logical time. */
static void await_room(struct thread *self, uint64_t fd)
{
	struct kernel_poll poll = { (int32_t)fd, POLLOUT, 0 };

	turn_hold(self);
	sys_window(__NR_poll, &poll, 1, -1);
	turn_release(self);
}

/* What the task is parked for; nothing, when somebody outside can make the descriptor ready. An
 * output is ready for what is written, and nothing else comes from there but its end. */
static uint32_t reason_for(struct thread *self, uint64_t fd, bool writes)
{
	const struct file *file = file_of(self, (uint32_t)fd);

	if (file->output && writes)
		await_room(self, fd);
	if (file->output)
		return PARK_STREAM | PARK_OUTPUT;
	return file->outside ? 0 : PARK_STREAM;
}

/* Of a poll: those outside are waited for in the kernel, unless something is ready as it is. */
static uint32_t reason_to_park(struct thread *self, uint64_t place, uint64_t count)
{
	uint32_t all = PARK_STREAM, reason;
	struct kernel_poll one;

	for (uint64_t i = 0; i < count && turns_matter(); i++) {
		if (copy_in(&one, place + i * sizeof(one), sizeof(one)))
			break;
		if (one.fd < 0)
			continue;
		reason = reason_for(self, (uint32_t)one.fd, one.events & POLLOUT);
		if (!reason)
			return sys(__NR_poll, place, count, 0) ? PARK_STREAM : 0;
		all |= reason;
	}
	return all;
}

static long attempt_poll(struct thread *self, struct wait *wait, uint64_t ns)
{
	const struct timespec64 limit = span_of(ns);
	sigmask_t real = wait->mask ? real_mask(*wait->mask) : 0;

	settle(self);
	connections_refresh(self);
	return sys_window(__NR_ppoll, wait->args[0], wait->args[1], ns == NEVER ? NULL : &limit,
		wait->mask ? &real : NULL, sizeof(real));
}

long handle_poll(struct thread *self)
{
	struct wait wait = {
		.attempt = attempt_poll,
		.parks = reason_to_park(self, argument(self, 0), (uint32_t)argument(self, 1)),
		.deadline = deadline_ms(self, (int32_t)argument(self, 2)),
		.args = { (long)argument(self, 0), (uint32_t)argument(self, 1) },
	};

	return wait_until(self, &wait);
}

long handle_ppoll(struct thread *self)
{
	struct wait wait = {
		.attempt = attempt_poll,
		.parks = reason_to_park(self, argument(self, 0), (uint32_t)argument(self, 1)),
		.args = { (long)argument(self, 0), (uint32_t)argument(self, 1) },
	};
	uint64_t limit = argument(self, 2);
	sigmask_t mask;
	long r = deadline_at(self, limit, 1, &wait.deadline);

	if (!r)
		r = mask_at(argument(self, 3), argument(self, 4), &wait, &mask);
	if (r)
		return r;
	if (process.relax & RELAX_TIME)
		return natively(self, &wait, 3);
	r = wait_masked(self, &wait);
	if (r != -RESTART)
		tell_left(self, &wait, limit, 1);
	return r;
}

/* The three sets of a select, as given and as answered. */
struct sets {
	uint64_t given[3][SET_WORDS], found[3][SET_WORDS];
	uint64_t *place[3]; /* of `found`, or NULL */
	size_t bytes;
};

static long attempt_select(struct thread *self, struct wait *wait, uint64_t ns)
{
	struct sets *sets = (struct sets *)wait->args[1];
	struct timespec64 limit = span_of(ns);
	sigmask_t real = wait->mask ? real_mask(*wait->mask) : 0;
	const struct {
		const sigmask_t *mask;
		uint64_t bytes;
	} masked = { &real, sizeof(real) };

	settle(self);
	connections_refresh(self);
	for (int i = 0; i < 3; i++)
		memcpy(sets->found[i], sets->given[i], sets->bytes);
	return sys_window(__NR_pselect6, wait->args[0], sets->place[0], sets->place[1],
		sets->place[2], ns == NEVER ? NULL : &limit, wait->mask ? &masked : NULL);
}

static long sets_take(const struct thread *self, struct sets *sets)
{
	for (int i = 0; i < 3; i++) {
		uint64_t place = argument(self, i + 1);

		sets->place[i] = place ? sets->found[i] : NULL;
		if (place && copy_in(sets->given[i], place, sets->bytes))
			return -EFAULT;
	}
	return 0;
}

static long sets_give(const struct thread *self, const struct sets *sets)
{
	for (int i = 0; i < 3; i++)
		if (sets->place[i] && copy_out(argument(self, i + 1), sets->found[i], sets->bytes))
			return -EFAULT;
	return 0;
}

static uint32_t reason_to_select(struct thread *self, struct sets *sets, int32_t count)
{
	const struct timespec64 now = { 0, 0 };
	uint32_t all = PARK_STREAM, reason;

	for (int32_t fd = 0; fd < count && turns_matter(); fd++) {
		uint64_t bit = 1ull << fd % 64, wanted[3] = { 0 };

		for (int i = 0; i < 3; i++)
			wanted[i] = sets->place[i] ? sets->given[i][fd / 64] & bit : 0;
		if (!(wanted[0] | wanted[1] | wanted[2]))
			continue;
		reason = reason_for(self, (uint32_t)fd, wanted[1]);
		all |= reason;
		if (reason)
			continue;
		for (int i = 0; i < 3; i++)
			memcpy(sets->found[i], sets->given[i], sets->bytes);
		return sys(__NR_pselect6, count, sets->place[0], sets->place[1], sets->place[2],
			       &now, 0)
			       ? PARK_STREAM
			       : 0;
	}
	return all;
}

static long do_select(struct thread *self, struct wait *wait, uint64_t limit, int64_t unit)
{
	int32_t count = (int32_t)argument(self, 0);
	struct sets sets;
	long r;

	if (count < 0)
		return -EINVAL;
	if (count > SET_WORDS * 64)
		return pass_on(self);
	sets.bytes = ((size_t)count + 63) / 64 * 8;
	if (sets_take(self, &sets))
		return -EFAULT;
	wait->attempt = attempt_select;
	wait->parks = reason_to_select(self, &sets, count);
	wait->args[0] = count;
	wait->args[1] = (long)&sets;
	r = wait_masked(self, wait);
	if (r != -RESTART)
		tell_left(self, wait, limit, unit);
	return r >= 0 && sets_give(self, &sets) ? -EFAULT : r;
}

long handle_select(struct thread *self)
{
	struct wait wait = { 0 };
	uint64_t limit = argument(self, 4);
	long r = deadline_at(self, limit, 1000, &wait.deadline);

	return r ? r : do_select(self, &wait, limit, 1000);
}

long handle_pselect6(struct thread *self)
{
	struct wait wait = { 0 };
	struct {
		uint64_t mask, size;
	} given = { 0, 0 };
	uint64_t limit = argument(self, 4);
	sigmask_t mask;
	long r;

	if (argument(self, 5) && copy_in(&given, argument(self, 5), sizeof(given)))
		return -EFAULT;
	r = deadline_at(self, limit, 1, &wait.deadline);
	if (!r)
		r = mask_at(given.mask, given.size, &wait, &mask);
	if (r)
		return r;
	return process.relax & RELAX_TIME ? natively(self, &wait, 5)
					  : do_select(self, &wait, limit, 1);
}

/* Some descriptor that leads outside is in some set of epoll's; or an output, for its end. */
static bool watches_outside, watches_output;

/* An output may have no room for a moment, and nobody is told when it has some. */
static void note_watch(struct thread *self, const struct file *file)
{
	uint32_t events = 0;

	if (!file->outside)
		return;
	if (file->output && copy_in(&events, argument(self, 3), sizeof(events)))
		return;
	if (file->output && !(events & POLLOUT))
		watches_output = true;
	else
		watches_outside = true;
}

long handle_epoll_ctl(struct thread *self)
{
	const struct file *file = file_of(self, (uint32_t)argument(self, 2));

	if (turns_matter())
		note_watch(self, file);
	if (file->kind == FILE_PIDFD)
		process.arena->pidfds = 1;
	return pass_on(self);
}

/*
 * What a worker of the kernel's, or a process that ends, makes ready is so a moment before epoll is
 * told. A descriptor that stays ready in vain is in no set, or has been told of.
 */
static long epoll_now(struct thread *self, const long a[3])
{
	static uint64_t in_vain HOT;
	const int64_t nap[2] = { 0, 100000 };
	uint64_t ready;
	long r;

	for (int i = 0; i < TELLING_TIMES; i++) {
		r = sys_window(__NR_epoll_pwait, a[0], a[1], a[2], 0, 0, sizeof(sigmask_t));
		if (r || !turns_matter())
			return r;
		ready = terminals_ready(self) + pidfds_ready(self);
		if (!ready || ready == in_vain)
			return r;
		turn_hold(self);
		sys(__NR_nanosleep, nap, 0);
		turn_release(self);
	}
	in_vain = ready;
	return r;
}

/* epoll counts in ms: to wait for less, its descriptor is polled. */
static long attempt_epoll(struct thread *self, struct wait *wait, uint64_t ns)
{
	sigmask_t real = wait->mask ? real_mask(*wait->mask) : 0;
	const long *a = wait->args;
	const struct kernel_poll poll = { (int32_t)a[0], POLLIN, 0 };
	const struct timespec64 limit = span_of(ns);
	long r;

	settle(self);
	connections_refresh(self);
	if (ns == NEVER)
		return sys_window(__NR_epoll_pwait, a[0], a[1], a[2], -1, wait->mask ? &real : NULL,
			sizeof(real));
	if (ns) {
		r = sys_window(
			__NR_ppoll, &poll, 1, &limit, wait->mask ? &real : NULL, sizeof(real));
		if (r <= 0)
			return r;
	}
	return epoll_now(self, a);
}

static long do_epoll(struct thread *self, struct wait *wait)
{
	wait->attempt = attempt_epoll;
	wait->parks = watches_outside ? 0 : PARK_STREAM | (watches_output ? PARK_OUTPUT : 0);
	wait->deadline = deadline_ms(self, (int32_t)argument(self, 3));
	for (int i = 0; i < 3; i++)
		wait->args[i] = (long)argument(self, i);
	return wait_masked(self, wait);
}

long handle_epoll_wait(struct thread *self)
{
	struct wait wait = { 0 };

	return do_epoll(self, &wait);
}

long handle_epoll_pwait(struct thread *self)
{
	struct wait wait = { 0 };
	sigmask_t mask;
	long r = mask_at(argument(self, 4), argument(self, 5), &wait, &mask);

	if (r)
		return r;
	return process.relax & RELAX_TIME ? natively(self, &wait, 4) : do_epoll(self, &wait);
}
