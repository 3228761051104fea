/*
 * The clocks of the kernel's interface, all of them views of the process's logical clock: which
 * exist, what they show, and at which logical time they come to show a given value. The host is
 * never asked.
 */
#ifndef STET_GUEST_CLOCKS_H
#define STET_GUEST_CLOCKS_H

#include "guest/clock.h"

enum clock_id {
	CLOCK_REALTIME,
	CLOCK_MONOTONIC,
	CLOCK_PROCESS_CPUTIME_ID,
	CLOCK_THREAD_CPUTIME_ID,
	CLOCK_MONOTONIC_RAW,
	CLOCK_REALTIME_COARSE,
	CLOCK_MONOTONIC_COARSE,
	CLOCK_BOOTTIME,
	CLOCK_REALTIME_ALARM,
	CLOCK_BOOTTIME_ALARM,
	CLOCK_TAI = 11,
};

struct timespec64 {
	int64_t sec, nsec;
};

/* What kind of clock an id stands for. */
enum clock_kind {
	KIND_NONE,   /* there is no such clock */
	KIND_WALL,   /* shows the date */
	KIND_UP,     /* shows the time since the start of the machine */
	KIND_CPU,    /* CPU time of a process */
	KIND_THREAD, /* CPU time of a thread */
};
enum clock_kind clock_kind(int32_t id);
/* Of a process or thread: its number; 0: the calling one. */
static inline int32_t clock_number(int32_t id)
{
	return id < 0 ? ~(id >> 3) : 0;
}

/* What the clock shows at the process's logical time `time`, in ns; of clocks of other processes
 * and threads, what they show now. -EINVAL when there is no such process. */
long clock_show(const struct thread *self, int32_t id, uint64_t time, struct timespec64 *shown);

/* The logical time at which a clock that others than CPU time move shows this; 0 when that is
 * past. */
uint64_t clock_when(int32_t id, const struct timespec64 *shown);

/* ns of a span of time, as far as it fits; NEVER when it does not. */
uint64_t span_ns(const struct timespec64 *span);
struct timespec64 span_of(uint64_t ns);
/* As the kernel judges what programs give it. */
static inline bool span_valid(const struct timespec64 *t)
{
	return t->sec >= 0 && (uint64_t)t->nsec < (uint64_t)NSEC_PER_SEC;
}

/*
 * With --time stop: looks at the clock, or waits for it, in a row. Who does nothing else for long
 * waits in vain, and is named.
 */
extern uint32_t clock_looks;
void clock_stood(void);

#endif
