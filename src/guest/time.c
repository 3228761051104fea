/* Looking at time, and setting it: every clock is a view of the process's logical one. */
#include "guest/clocks.h"
#include "guest/handlers.h"
#include "guest/task.h"

#define COARSE_NS	 4000000ull /* a tick at 250 Hz */
#define COARSE_TICK_NS	 4001000ull /* what it takes: a prime number of looks, for those in pairs */
#define TICKS_PER_SEC	 100ull	    /* of times() */
#define CLOCKS_OF_PIDS	 0x80000000u
#define CLOCK_OF_THREAD	 4
#define CLOCK_TYPE_MASK	 3
#define CLOCK_TYPE_SCHED 2
#define CLOCK_TYPE_FD	 3

enum clock_kind clock_kind(int32_t id)
{
	switch (id) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_REALTIME_ALARM:
	case CLOCK_TAI:
		return KIND_WALL;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_BOOTTIME_ALARM:
		return KIND_UP;
	case CLOCK_PROCESS_CPUTIME_ID:
		return KIND_CPU;
	case CLOCK_THREAD_CPUTIME_ID:
		return KIND_THREAD;
	default:
		if (id >= 0 || (id & CLOCK_TYPE_MASK) == CLOCK_TYPE_FD)
			return KIND_NONE;
		return id & CLOCK_OF_THREAD ? KIND_THREAD : KIND_CPU;
	}
}

/* The task whose CPU time an id of these kinds means; NULL when there is none. */
static struct task *clock_task(const struct thread *self, int32_t id, enum clock_kind kind)
{
	int32_t number = clock_number(id);

	if (kind == KIND_THREAD)
		return number ? task_find_thread(self, number) : task_at(self->task);
	return number ? task_find_process(number) : clock_owner(self);
}

static uint64_t cpu_time(const struct thread *self, const struct task *task, enum clock_kind kind)
{
	const struct task *owner = task_at(task->process % TASKS);
	uint64_t all = clock_cpu_seen(self, owner);

	if (kind == KIND_CPU || task == owner)
		return all;
	return all > task->idle ? all - task->idle : 0;
}

uint64_t span_ns(const struct timespec64 *span)
{
	if (span->sec >= (1ll << 62) / NSEC_PER_SEC)
		return NEVER;
	return (uint64_t)(span->sec * NSEC_PER_SEC + span->nsec);
}

struct timespec64 span_of(uint64_t ns)
{
	return (struct timespec64){
		(int64_t)(ns / (uint64_t)NSEC_PER_SEC),
		(int64_t)(ns % (uint64_t)NSEC_PER_SEC),
	};
}

long clock_show(const struct thread *self, int32_t id, uint64_t time, struct timespec64 *shown)
{
	enum clock_kind kind = clock_kind(id);
	const struct task *task;

	if (id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE)
		time -= time % COARSE_TICK_NS;
	switch (kind) {
	case KIND_WALL:
		clock_wall(time, &shown->sec, &shown->nsec);
		return 0;
	case KIND_UP:
		*shown = span_of(clock_uptime(time));
		return 0;
	case KIND_CPU:
	case KIND_THREAD:
		task = clock_task(self, id, kind);
		if (!task)
			return -EINVAL;
		*shown = span_of(cpu_time(self, task, kind));
		return 0;
	case KIND_NONE:
		break;
	}
	return -EINVAL;
}

uint64_t clock_when(int32_t id, const struct timespec64 *shown)
{
	const struct machine *machine = &process.arena->config.machine;
	struct timespec64 zero = span_of(CLOCK_UP_AT_START), past = *shown;
	uint64_t ns;

	if (clock_kind(id) == KIND_WALL)
		zero = (struct timespec64){ machine->epoch, machine->epoch_nsec };
	past.sec -= zero.sec;
	past.nsec -= zero.nsec;
	if (past.nsec < 0) {
		past.sec--;
		past.nsec += NSEC_PER_SEC;
	}
	ns = past.sec < 0 ? 0 : span_ns(&past);
	return ns;
}

/* Looks at the clock in a row that make clear what the program waits for. */
#define LOOKS_LIMIT 1000000
uint32_t clock_looks HOT;

void clock_stood(void)
{
	char name[32] = { 0 };

	if (++clock_looks < LOOKS_LIMIT)
		return;
	sys(__NR_prctl, PR_GET_NAME, name);
	fatal("%s polls the clock for time to pass, which --time stop does not let it do; use "
	      "--time warp",
		name);
}

/* What the program sees when it looks. */
static uint64_t look(struct thread *self)
{
	if (process.stopped)
		clock_stood();
	return clock_look(self);
}

/* The common case of clock_gettime, with no detours; false when it is another one. */
static inline bool show_common(struct thread *self, int32_t id, uint64_t place)
{
	const struct machine *machine = &process.arena->config.machine;
	struct timespec64 *to = (struct timespec64 *)place;
	struct fault_frame frame;
	uint64_t time;

	if ((uint32_t)id > CLOCK_MONOTONIC || process.stopped)
		return false;
	if (fault_arm(&frame))
		return false;
	time = clock_advance(self, machine->step);
	if (id == CLOCK_REALTIME) {
		time += machine->epoch_nsec;
		*(volatile int64_t *)&to->sec =
			machine->epoch + (int64_t)(time / (uint64_t)NSEC_PER_SEC);
	} else {
		time += CLOCK_UP_AT_START;
		*(volatile int64_t *)&to->sec = (int64_t)(time / (uint64_t)NSEC_PER_SEC);
	}
	*(volatile int64_t *)&to->nsec = (int64_t)(time % (uint64_t)NSEC_PER_SEC);
	fault_disarm();
	return true;
}

long handle_clock_gettime(struct thread *self)
{
	int32_t id = (int32_t)argument(self, 0);
	struct timespec64 now;
	long r;

	if (show_common(self, id, argument(self, 1)))
		return 0;
	r = clock_show(self, id, look(self), &now);
	return r ? r : copy_out(argument(self, 1), &now, sizeof(now));
}

long handle_clock_getres(struct thread *self)
{
	int32_t id = (int32_t)argument(self, 0);
	enum clock_kind kind = clock_kind(id);
	struct timespec64 resolution = { 0, 1 };

	if (kind == KIND_NONE || (kind >= KIND_CPU && !clock_task(self, id, kind)))
		return -EINVAL;
	if (id == CLOCK_REALTIME_COARSE || id == CLOCK_MONOTONIC_COARSE ||
		(id < 0 && (id & CLOCK_TYPE_MASK) != CLOCK_TYPE_SCHED))
		resolution.nsec = COARSE_NS;
	if (!argument(self, 1))
		return 0;
	return copy_out(argument(self, 1), &resolution, sizeof(resolution));
}

long handle_gettimeofday(struct thread *self)
{
	uint64_t place = argument(self, 0), zone = argument(self, 1);
	const uint64_t greenwich = 0;
	struct timespec64 now;

	if (place) {
		clock_show(self, CLOCK_REALTIME, look(self), &now);
		now.nsec /= NSEC_PER_USEC;
		if (copy_out(place, &now, sizeof(now)))
			return -EFAULT;
	}
	return zone ? copy_out(zone, &greenwich, sizeof(greenwich)) : 0;
}

long handle_time(struct thread *self)
{
	uint64_t place = argument(self, 0);
	struct timespec64 now;

	clock_show(self, CLOCK_REALTIME, look(self), &now);
	if (place && copy_out(place, &now.sec, sizeof(now.sec)))
		return -EFAULT;
	return now.sec;
}

long handle_clock_settime(struct thread *self)
{
	int32_t id = (int32_t)argument(self, 0);
	enum clock_kind kind = clock_kind(id);
	struct timespec64 new;

	if (id != CLOCK_REALTIME && !(id < 0 && kind != KIND_NONE))
		return -EINVAL;
	if (copy_in(&new, argument(self, 1), sizeof(new)))
		return -EFAULT;
	if (id == CLOCK_REALTIME ? !span_valid(&new) : !clock_task(self, id, kind))
		return -EINVAL;
	return -EPERM;
}

long handle_settimeofday(struct thread *self)
{
	struct timespec64 new;
	uint64_t zone;

	if (argument(self, 0)) {
		if (copy_in(&new, argument(self, 0), sizeof(new)))
			return -EFAULT;
		if (new.sec < 0 || (uint64_t) new.nsec >= NSEC_PER_SEC / NSEC_PER_USEC)
			return -EINVAL;
	}
	if (argument(self, 1) && copy_in(&zone, argument(self, 1), sizeof(zone)))
		return -EFAULT;
	return -EPERM;
}

/* struct timex, as far as it is not zero. */
struct timex64 {
	uint32_t modes, pad;
	int64_t offset, frequency, max_error, estimated_error;
	int32_t status, pad2;
	int64_t constant, precision, tolerance;
	struct timespec64 time;
	int64_t tick, pps[2];
	int32_t pps_shift, pad3;
	int64_t pps_more[5];
	int32_t tai, pad4[11];
};
_Static_assert(sizeof(struct timex64) == 208, "struct timex");
#define ADJ_OFFSET_SS_READ 0xa001
#define TIME_ERROR	   5 /* what a clock that nobody sets has */
#define STA_UNSYNC	   0x40

static long adjust(struct thread *self, uint64_t place)
{
	struct timex64 x;
	uint32_t modes;

	if (copy_in(&x, place, sizeof(x)))
		return -EFAULT;
	modes = x.modes;
	if (modes && modes != ADJ_OFFSET_SS_READ)
		return -EPERM;
	x = (struct timex64){
		.modes = modes,
		.max_error = 16000000,
		.estimated_error = 16000000,
		.status = STA_UNSYNC,
		.constant = 2,
		.precision = 1,
		.tolerance = 32768000,
		.tick = 10000,
	};
	clock_show(self, CLOCK_REALTIME, look(self), &x.time);
	x.time.nsec /= NSEC_PER_USEC;
	return copy_out(place, &x, sizeof(x)) ? -EFAULT : TIME_ERROR;
}

long handle_adjtimex(struct thread *self)
{
	return adjust(self, argument(self, 0));
}

long handle_clock_adjtime(struct thread *self)
{
	int32_t id = (int32_t)argument(self, 0);

	if (clock_kind(id) == KIND_NONE)
		return -EINVAL;
	return id == CLOCK_REALTIME ? adjust(self, argument(self, 1)) : -EOPNOTSUPP;
}

static int64_t ticks(uint64_t ns)
{
	return (int64_t)(ns / ((uint64_t)NSEC_PER_SEC / TICKS_PER_SEC));
}

long handle_times(struct thread *self)
{
	uint64_t now = look(self), place = argument(self, 0);
	const struct task *own = clock_owner(self);
	const int64_t spent[4] = { ticks(clock_cpu(own)), 0, ticks(own->reaped), 0 };

	if (place && copy_out(place, spent, sizeof(spent)))
		return -EFAULT;
	return ticks(clock_uptime(now));
}
