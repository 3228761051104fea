#include "guest/timerfd.h"

#include "guest/files.h"
#include "guest/handlers.h"
#include "guest/nonblocking.h"
#include "guest/text.h"
#include "guest/timers.h"
#include "guest/turn.h"
#include "guest/waits.h"

#define TFD_TIMER_ABSTIME	1
#define TFD_TIMER_CANCEL_ON_SET 2

static struct timer_file *table(void)
{
	return process.arena->timer_files;
}

/* The number behind "eventfd-id:" in what /proc says of a descriptor; 0 when it is no eventfd. */
static uint32_t object_of(uint64_t fd)
{
	static const char label[] = "eventfd-id:";
	char text[256];
	uint32_t number = 0;
	long file, bytes;

	text_put_number(text_put(text, "thread-self/fdinfo/"), (long)fd);
	file = sys(__NR_openat, FD_PROC, text, O_RDONLY | O_CLOEXEC);
	if (failed(file))
		return 0;
	bytes = sys(__NR_read, file, text, sizeof(text) - 1);
	sys(__NR_close, file);
	text[bytes > 0 ? bytes : 0] = 0;
	for (const char *c = text; *c; c++) {
		if (memcmp(c, label, sizeof(label) - 1) != 0)
			continue;
		for (c += sizeof(label) - 1; *c == ' '; c++)
			;
		for (; *c >= '0' && *c <= '9'; c++)
			number = number * 10 + (uint32_t)(*c - '0');
		return number + 1;
	}
	return 0;
}

uint32_t timerfd_place(uint64_t fd)
{
	uint32_t object = object_of(fd);

	for (uint32_t i = 0; object && i < TIMER_FILES; i++)
		if (table()[i].state && table()[i].object == object)
			return i + 1;
	return 0;
}

/* A place for a new one. Nobody sees the last close: what is left of an object of the same number
 * is over, and when the table is full the place to which the number leads is used again. */
static uint32_t place_for(uint32_t object)
{
	for (uint32_t i = 0; i < TIMER_FILES; i++)
		if (table()[i].state && table()[i].object == object)
			return i;
	for (uint32_t i = 0; i < TIMER_FILES; i++) {
		uint32_t free = 0;

		if (__atomic_compare_exchange_n(
			    &table()[i].state, &free, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			return i;
	}
	return object % TIMER_FILES;
}

static struct timer_file *timer_of(struct thread *self, uint64_t fd)
{
	const struct file *file = file_of(self, fd);

	return file->kind == FILE_TIMER ? &table()[(file->inode - 1) % TIMER_FILES] : NULL;
}

long handle_timerfd_create(struct thread *self)
{
	int32_t clock = (int32_t)argument(self, 0);
	uint32_t flags = (uint32_t)argument(self, 1), place, object;
	long fd;

	if ((flags & ~(uint32_t)(O_NONBLOCK | O_CLOEXEC)) ||
		(clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME &&
			clock != CLOCK_REALTIME_ALARM && clock != CLOCK_BOOTTIME_ALARM))
		return -EINVAL;
	if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
		return -EPERM;
	fd = sys_window(__NR_eventfd2, 0, flags);
	if (failed(fd))
		return fd;
	object = object_of((uint64_t)fd);
	place = place_for(object);
	table()[place].object = object;
	table()[place].clock = (uint32_t)clock;
	table()[place].interval = (struct interval){ 0 };
	file_set(self, (uint64_t)fd, (struct file){ .kind = FILE_TIMER, .inode = place + 1 });
	return fd;
}

/* Takes the passes up to now out of the timer: how many. Another process may be at it as well. */
static uint64_t take_passes(struct timer_file *t, uint64_t now)
{
	uint64_t deadline = __atomic_load_n(&t->interval.deadline, __ATOMIC_ACQUIRE);
	struct interval after = { .deadline = deadline, .period = t->interval.period };
	uint64_t passes;

	if (!deadline || now < deadline)
		return 0;
	passes = interval_pass(&after, now);
	return __atomic_compare_exchange_n(&t->interval.deadline, &deadline, after.deadline, false,
		       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)
		       ? passes
		       : 0;
}

void timer_files_settle(struct thread *self)
{
	int fd = -1;

	while ((fd = file_next(self, FILE_TIMER, fd + 1)) >= 0) {
		struct timer_file *t = timer_of(self, (uint64_t)fd);
		uint64_t passes = t ? take_passes(t, clock_now(self)) : 0;

		if (passes)
			sys(__NR_write, fd, &passes, sizeof(passes));
	}
}

/* Others may have the same timer: where turns matter it fires in the turn of who looks at it. */
void timer_files_fire(struct thread *self)
{
	if (!turns_matter())
		timer_files_settle(self);
}

uint64_t timer_files_next(struct thread *self)
{
	uint64_t next = NEVER;
	int fd = -1;

	while ((fd = file_next(self, FILE_TIMER, fd + 1)) >= 0) {
		const struct timer_file *t = timer_of(self, (uint64_t)fd);
		uint64_t deadline = t ? t->interval.deadline : 0;

		if (deadline && deadline < next)
			next = deadline;
	}
	return next;
}

static void tell(const struct thread *self, const struct timer_file *t, struct timespec64 told[2])
{
	uint64_t now = clock_now(self), deadline = t->interval.deadline;

	told[0] = span_of(t->interval.period);
	told[1] = span_of(!deadline ? 0 : deadline > now ? deadline - now : 1);
}

static void arm(struct thread *self, struct timer_file *t, uint64_t fd, uint64_t flags,
	const struct timespec64 new[2])
{
	uint64_t ticks, deadline = 0, ns = span_ns(&new[1]);

	if (descriptor_ready(fd, POLLIN))
		sys(__NR_read, fd, &ticks, sizeof(ticks));
	if (flags & TFD_TIMER_ABSTIME)
		ns = clock_when((int32_t)t->clock, &new[1]);
	else if (ns != NEVER)
		ns += clock_now(self);
	if (new[1].sec || new[1].nsec)
		deadline = ns == NEVER ? 1ull << 62 : ns ? ns : 1;
	t->interval.period = deadline ? span_ns(&new[0]) : 0;
	if (t->interval.period == NEVER)
		t->interval.period = 1ull << 62;
	__atomic_store_n(&t->interval.deadline, deadline, __ATOMIC_RELEASE);
	if (deadline)
		timers_changed(deadline);
}

long handle_timerfd_settime(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0), flags = argument(self, 1);
	struct timespec64 new[2], old[2];
	struct timer_file *t;

	if (copy_in(new, argument(self, 2), sizeof(new)))
		return -EFAULT;
	if ((flags & ~(uint64_t)(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) ||
		!span_valid(&new[0]) || !span_valid(&new[1]))
		return -EINVAL;
	t = timer_of(self, fd);
	if (!t)
		return file_of(self, fd)->kind == FILE_UNKNOWN ? -EBADF : -EINVAL;
	clock_look(self);
	timers_check(self);
	timer_files_settle(self);
	tell(self, t, old);
	arm(self, t, fd, flags, new);
	return argument(self, 3) ? copy_out(argument(self, 3), old, sizeof(old)) : 0;
}

long handle_timerfd_gettime(struct thread *self)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	const struct timer_file *t = timer_of(self, fd);
	struct timespec64 told[2];

	if (!t)
		return file_of(self, fd)->kind == FILE_UNKNOWN ? -EBADF : -EINVAL;
	clock_look(self);
	timers_check(self);
	timer_files_settle(self);
	tell(self, t, told);
	return copy_out(argument(self, 1), told, sizeof(told));
}

static long attempt_poll(struct thread *self, struct wait *wait, uint64_t ns)
{
	struct kernel_poll poll = { (int32_t)wait->args[0], POLLIN, 0 };
	const struct timespec64 limit = span_of(ns);

	timer_files_settle(self);
	return sys_window(__NR_ppoll, &poll, 1, ns == NEVER ? NULL : &limit, 0, sizeof(sigmask_t));
}

/* Blocks until the timer fires, unless it has, or the program does not want that. */
static long read_timer(struct thread *self, bool too_short)
{
	uint64_t fd = (uint32_t)argument(self, 0);
	struct wait wait = { .attempt = attempt_poll,
		.deadline = NEVER,
		.restarts = true,
		.parks = PARK_STREAM,
		.args = { (long)fd } };
	long r;

	timers_check(self);
	timer_files_settle(self);
	if (!descriptor_blocks(fd) || too_short)
		return pass_on(self);
	r = wait_until(self, &wait);
	return r < 0 ? r : pass_on(self);
}

long timerfd_read(struct thread *self)
{
	return read_timer(self, argument(self, 2) < sizeof(uint64_t));
}

long timerfd_read_vector(struct thread *self)
{
	return read_timer(self, !argument(self, 2));
}
