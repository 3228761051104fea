#include "verify/bisect.h"

/* The first `count` bits of the set. */
static uint32_t first(uint32_t set, unsigned count)
{
	uint32_t part = 0;

	for (; count && set; count--) {
		part |= set & -set;
		set &= set - 1;
	}
	return part;
}

/* The least number of first ones of `set` that make a difference together with `fixed`: all of them
 * do, none does not. -1 with err. */
static int find_least(
	uint32_t set, uint32_t fixed, bisect_test *test, void *context, struct error *err)
{
	unsigned low = 0, high = (unsigned)__builtin_popcount(set);

	while (high - low > 1) {
		unsigned middle = (low + high) / 2;
		int differs = test(context, fixed | first(set, middle), err);

		if (differs < 0)
			return -1;
		if (differs)
			high = middle;
		else
			low = middle;
	}
	return (int)high;
}

/* The last of a least number is needed; the others may be, together with it. */
static int find_one(
	uint32_t set, bisect_test *test, void *context, uint32_t *found, struct error *err)
{
	*found = 0;
	while (set) {
		int count = find_least(set, *found, test, context, err);
		uint32_t before;
		int differs;

		if (count < 0)
			return -1;
		before = first(set, (unsigned)count - 1);
		*found |= first(set, (unsigned)count) & ~before;
		set = before;
		differs = set ? test(context, *found, err) : 1;
		if (differs < 0)
			return -1;
		if (differs)
			break;
	}
	return 0;
}

int bisect_find(uint32_t all, bisect_test *test, void *context, uint32_t found[VARIATIONS],
	struct error *err)
{
	int count = 0, differs = 1;

	while (differs && all && count < VARIATIONS) {
		if (find_one(all, test, context, &found[count], err))
			return -1;
		all &= ~found[count++];
		differs = all ? test(context, all, err) : 0;
		if (differs < 0)
			return -1;
	}
	return count;
}
