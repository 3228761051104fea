#include "guest/near.h"

#include "guest/clock.h"
#include "guest/race.h"
#include "guest/sys.h"

#define WAITS 16 /* after so many it is seen how much was moved */
/* Bytes per microsecond of real time: more than a compressor makes of them, and less. */
#define MUCH   250
#define LITTLE 125

struct cores {
	uint64_t bits[CORES / 64];
};

/* The core where all of them meet: that of who comes first. */
static uint32_t meeting_place(struct thread *self)
{
	uint32_t nowhere = 0, own = turn_of(self->task)->core + 1;

	return __atomic_compare_exchange_n(&process.arena->near_core, &nowhere, own, false,
		       __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
		       ? own
		       : nowhere;
}

static void bind(struct thread *self, uint32_t core)
{
	struct turn *turn = turn_of(self->task);
	struct cores one = { 0 };

	if (turn->bound == core + 1 || core >= CORES)
		return;
	one.bits[core / 64] = process.arena->cores[core / 64] & 1ull << core % 64;
	if (!one.bits[core / 64])
		return;
	__atomic_store_n(&turn->bound, core + 1, __ATOMIC_SEQ_CST);
	sys(__NR_sched_setaffinity, 0, sizeof(one), &one);
}

void near_free(struct thread *self)
{
	if (__atomic_exchange_n(&turn_of(self->task)->bound, 0, __ATOMIC_SEQ_CST))
		sys(__NR_sched_setaffinity, 0, sizeof(process.arena->cores), process.arena->cores);
}

/* Of bytes per microsecond since it was asked last. */
static uint64_t take_rate(struct near *near)
{
	uint64_t now = real_now(), passed = now - near->since, moved = near->moved;

	*near = (struct near){ .since = now };
	return moved * NSEC_PER_USEC / (passed ? passed : 1);
}

/* To where the one is that runs instead of it. */
static void follow(struct thread *self)
{
	const struct domain *domain = domain_of(self->task);
	uint32_t holder = domain ? domain->holder : 0;

	if (holder && holder - 1 != self->task)
		bind(self, turn_of(holder - 1)->core);
}

void near_wait(struct thread *self)
{
	uint64_t rate;

	follow(self);
	if (!self->near.moved || ++self->near.waits < WAITS)
		return;
	rate = take_rate(&self->near);
	if (rate >= MUCH)
		bind(self, meeting_place(self) - 1);
	else if (rate < LITTLE)
		near_free(self);
}
