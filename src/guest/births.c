#include "guest/births.h"

#include "guest/race.h"

/* Without turns nobody counts births. */
static bool is_older(uint32_t index, uint32_t than)
{
	uint64_t birth = turn_of(index)->birth, other = turn_of(than)->birth;

	return birth != other ? birth < other : index < than;
}

static bool is_behind(const struct births *walk, uint32_t index)
{
	uint64_t birth = turn_of(index)->birth;

	return birth != walk->last_birth ? birth > walk->last_birth : index >= walk->last;
}

/* The oldest ones are, in order. */
static void keep(struct births *walk, uint32_t index)
{
	uint32_t at;

	if (walk->count == BIRTHS_AT_ONCE) {
		if (!is_older(index, walk->found[BIRTHS_AT_ONCE - 1]))
			return;
		walk->count--;
	}
	for (at = walk->count++; at && is_older(index, walk->found[at - 1]); at--)
		walk->found[at] = walk->found[at - 1];
	walk->found[at] = index;
}

static void find_more(struct births *walk)
{
	uint32_t end = tasks_end();

	walk->count = walk->at = 0;
	for (uint32_t i = 0; i < end; i++)
		if (walk->filter(i, walk->which) && is_behind(walk, i))
			keep(walk, i);
}

uint32_t births_next(struct births *walk)
{
	uint32_t index;

	if (walk->at == walk->count && (!walk->last || walk->count == BIRTHS_AT_ONCE))
		find_more(walk);
	if (walk->at == walk->count)
		return NO_TASK;
	index = walk->found[walk->at++];
	walk->last_birth = turn_of(index)->birth;
	walk->last = index + 1;
	return index;
}
