#include "guest/near.h"

#include "guest/race.h"
#include "guest/sys.h"

#define WAITS 16 /* after so many it is seen how much was moved */
/* Bytes per microsecond of real time: more than a compressor or a hash makes of them. */
#define MUCH   250
#define LITTLE 125

#define CORES  4096

struct cores {
	uint64_t bits[CORES / 64];
};

/* Those that the process had, and how many bytes the kernel has for them. */
static struct cores all;
static uint64_t all_bytes;

static uint64_t microseconds(void)
{
	uint64_t now[2] = { 0 };

	sys(__NR_clock_gettime, 1 /* CLOCK_MONOTONIC */, now);
	return now[0] * 1000000 + now[1] / 1000;
}

/* The core where all of them meet: that of who comes first. */
static uint32_t meeting_place(struct thread *self)
{
	uint32_t nowhere = 0, own = turn_of(self->task)->core + 1;

	return __atomic_compare_exchange_n(&process.arena->near_core, &nowhere, own, false,
		       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
		       ? own
		       : nowhere;
}

static void bind(struct thread *self)
{
	struct turn *turn = turn_of(self->task);
	uint32_t core = meeting_place(self) - 1;
	struct cores one = { 0 };
	long bytes;

	if (turn->bound == core + 1)
		return;
	if (!turn->bound) {
		bytes = sys(__NR_sched_getaffinity, 0, sizeof(all), &all);
		all_bytes = failed(bytes) ? 0 : (uint64_t)bytes;
	}
	if (core / 8 >= all_bytes)
		return;
	one.bits[core / 64] = 1ull << core % 64;
	__atomic_store_n(&turn->bound, core + 1, __ATOMIC_SEQ_CST);
	sys(__NR_sched_setaffinity, 0, all_bytes, &one);
}

void near_free(struct thread *self)
{
	if (__atomic_exchange_n(&turn_of(self->task)->bound, 0, __ATOMIC_SEQ_CST))
		sys(__NR_sched_setaffinity, 0, all_bytes, &all);
}

/* Of bytes per microsecond since it was asked last. */
static uint64_t rate(struct near *near)
{
	uint64_t now = microseconds(), passed = now - near->since, moved = near->moved;

	near->since = now;
	near->moved = 0;
	near->waits = 0;
	return moved / (passed ? passed : 1);
}

void near_wait(struct thread *self)
{
	struct near *near = &self->near;
	uint64_t now;

	if (!near->moved || ++near->waits < WAITS)
		return;
	now = rate(near);
	if (now >= MUCH)
		bind(self);
	else if (now < LITTLE)
		near_free(self);
}
