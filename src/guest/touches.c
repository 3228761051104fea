#include "guest/touches.h"

#include "guest/process.h"

#define PROBES 8u

/* Larger is earlier: 0 is not known yet. */
static uint64_t inverted(int64_t time)
{
	return (uint64_t)INT64_MAX - (uint64_t)time;
}

/* Larger is later. */
static uint64_t biased(int64_t time)
{
	return (uint64_t)time + (1ull << 63);
}

static uint64_t load(const uint64_t *value)
{
	return __atomic_load_n(value, __ATOMIC_SEQ_CST);
}

static void raise(uint64_t *value, uint64_t to)
{
	uint64_t now = load(value);

	while (now < to && !__atomic_compare_exchange_n(
				   value, &now, to, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		;
}

/* NULL: there is none, and no room, or none is to be made. */
static struct ahead_directory *find(const struct inode *inode, bool make)
{
	uint32_t index = inode_index(inode), at = index * 0x9e3779b1u >> 8;

	for (uint32_t i = 0; i < PROBES; i++) {
		struct ahead_directory *directory =
			&process.arena->ahead_directories[(at + i) % AHEAD_DIRECTORIES];
		uint32_t known = __atomic_load_n(&directory->inode, __ATOMIC_SEQ_CST);

		if (!known && make &&
			__atomic_compare_exchange_n(&directory->inode, &known, index, false,
				__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			known = index;
		if (known == index)
			return directory;
		if (!known && !make)
			return NULL;
	}
	return NULL;
}

/* What is no longer kept one by one. */
static void fold(struct ahead_directory *directory, uint64_t place, const int64_t time[2])
{
	for (int i = 0; i < 2; i++)
		raise(&directory->folded_time[i], biased(time[i]));
	raise(&directory->folded, place);
}

void touches_add(const struct inode *inode, uint64_t place, struct directory_times times)
{
	const int64_t time[2] = { times.mtime, times.ctime };
	struct ahead_directory *directory = find(inode, true);
	struct ahead_touch *touch;
	uint64_t old;

	if (!directory)
		return;
	raise(&directory->before[0], inverted(inode->mtime));
	raise(&directory->before[1], inverted(inode->ctime));
	touch = &directory->touch[__atomic_fetch_add(&directory->next, 1, __ATOMIC_SEQ_CST) %
				  AHEAD_TOUCHES];
	old = load(&touch->place);
	if (old == AHEAD_BUSY || !__atomic_compare_exchange_n(&touch->place, &old, AHEAD_BUSY,
					 false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
		fold(directory, place, time);
		return;
	}
	if (old)
		fold(directory, old, touch->time);
	for (int i = 0; i < 2; i++)
		__atomic_store_n(&touch->time[i], time[i], __ATOMIC_SEQ_CST);
	__atomic_store_n(&touch->place, place, __ATOMIC_SEQ_CST);
}

void touches_reset(const struct inode *inode)
{
	struct ahead_directory *directory = find(inode, false);

	if (!directory)
		return;
	for (uint32_t i = 0; i < AHEAD_TOUCHES; i++)
		__atomic_store_n(&directory->touch[i].place, 0, __ATOMIC_SEQ_CST);
	directory->folded = 0;
	directory->folded_time[0] = directory->folded_time[1] = 0;
	directory->before[0] = inverted(inode->mtime);
	directory->before[1] = inverted(inode->ctime);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Of the changes that are kept one by one, the latest times; false: one is just being kept. */
static bool latest_kept(const struct ahead_directory *directory, uint64_t place, int64_t latest[2])
{
	for (uint32_t i = 0; i < AHEAD_TOUCHES; i++) {
		const struct ahead_touch *touch = &directory->touch[i];
		const int64_t time[2] = {
			__atomic_load_n(&touch->time[0], __ATOMIC_SEQ_CST),
			__atomic_load_n(&touch->time[1], __ATOMIC_SEQ_CST),
		};
		uint64_t at = load(&touch->place);

		if (at == AHEAD_BUSY)
			return false;
		for (int j = 0; j < 2 && at && at <= place; j++)
			latest[j] = later(latest[j], time[j]);
	}
	return true;
}

/* The entries first: one that was folded and replaced meanwhile is then seen there. One that is
 * about to be is in neither place. */
bool touches_before(const struct inode *inode, uint64_t place, struct directory_times *times)
{
	const struct ahead_directory *directory = find(inode, false);
	int64_t latest[2] = { TOUCHES_NOT, TOUCHES_NOT };

	if (!directory || !latest_kept(directory, place, latest))
		return false;
	for (int i = 0; i < 2; i++) {
		uint64_t before = load(&directory->before[i]);

		if (!before)
			return false;
		latest[i] = later(
			latest[i], (int64_t)(load(&directory->folded_time[i]) - (1ull << 63)));
		latest[i] = later(latest[i], (int64_t)((uint64_t)INT64_MAX - before));
	}
	*times = (struct directory_times){ latest[0], latest[1] };
	return load(&directory->folded) <= place;
}
