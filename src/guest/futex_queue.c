#include "guest/futex_queue.h"

#include "guest/race.h"
#include "guest/turn.h"

static struct futex_wait *wait_of(uint32_t index)
{
	return &turn_of(index)->futex;
}

static uint64_t next_order(void)
{
	return __atomic_add_fetch(&process.arena->futex_waits, 1, __ATOMIC_RELAXED);
}

void queue_enter(
	struct thread *self, const struct place *place, uint32_t bits, const struct place *then)
{
	*wait_of(self->task) = (struct futex_wait){
		.object = { place->object, place->offset },
		.order = next_order(),
		.bits = bits,
		.second = then ? then->offset : 0,
	};
}

void queue_leave(struct thread *self)
{
	*wait_of(self->task) = (struct futex_wait){ 0 };
}

bool queue_waits(const struct thread *self)
{
	return wait_of(self->task)->order;
}

bool queue_was_woken(const struct thread *self)
{
	return wait_of(self->task)->woken;
}

static bool waits_at(uint32_t index, const struct place *place, uint32_t bits)
{
	const struct futex_wait *wait = wait_of(index);

	return turn_of(index)->domain && wait->order && !wait->woken && (wait->bits & bits) &&
	       wait->object[0] == place->object && wait->object[1] == place->offset;
}

static uint32_t first_at(const struct place *place, uint32_t bits)
{
	uint32_t end = tasks_end(), found = NO_TASK;

	for (uint32_t i = 0; i < end; i++)
		if (waits_at(i, place, bits) &&
			(found == NO_TASK || wait_of(i)->order < wait_of(found)->order))
			found = i;
	return found;
}

uint32_t queue_first(const struct place *place)
{
	return first_at(place, ~0u);
}

bool queue_is_for(uint32_t index, const struct place *then)
{
	return wait_of(index)->second == then->offset;
}

uint32_t queue_length(const struct place *place)
{
	uint32_t end = tasks_end(), count = 0;

	for (uint32_t i = 0; i < end; i++)
		count += waits_at(i, place, ~0u);
	return count;
}

long queue_wake(struct thread *self, const struct place *place, uint32_t count, uint32_t bits)
{
	long woken = 0;

	for (uint32_t index; (uint32_t)woken < count; woken++) {
		index = first_at(place, bits);
		if (index == NO_TASK)
			break;
		wait_of(index)->woken = 1;
		turn_wake_one(self->task, PARK_FUTEX, index);
	}
	return woken;
}

long queue_move(const struct place *from, const struct place *to, uint32_t count)
{
	long moved = 0;

	for (uint32_t index; (uint32_t)moved < count; moved++) {
		index = queue_first(from);
		if (index == NO_TASK || (from->object == to->object && from->offset == to->offset))
			break;
		wait_of(index)->object[0] = to->object;
		wait_of(index)->object[1] = to->offset;
		wait_of(index)->order = next_order();
	}
	return moved;
}
