#include "guest/place.h"

#include "guest/sys.h"

/* Neighbours count as one, and mappings are placed side by side, so a few suffice for most. */
#define SPANS	      4096
#define LOCK_PATIENCE 10000000 /* turns; whoever holds the lock for seconds has been killed */

/* MAP_32BIT: the second GiB, from below, as the kernel has it. */
#define LOW_START 0x40000000ull
#define LOW_END	  0x80000000ull

#define GUARDS	  1024

struct span {
	uint64_t start, end;
};

static struct span spans[SPANS + 2]; /* ascending, with gaps between them */
static uint32_t count HOT;
static uint32_t lock HOT;

/* What lies below the start of a mapping and goes with it. Beyond as many it is not used again. */
static struct guard {
	uint64_t address, bytes;
} guards[GUARDS];
static uint32_t guard_count HOT;

void place_hold(void)
{
	for (int turn = 0; __atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE); turn++) {
		if (turn > LOCK_PATIENCE)
			return;
		sys(__NR_sched_yield);
	}
}

void place_let_go(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/* The first span that ends at the address or behind it. */
static uint32_t first_reaching(uint64_t address)
{
	uint32_t low = 0, high = count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (spans[middle].end < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Replaces `gone` spans from `at` on by `n` others. */
static void splice(uint32_t at, uint32_t gone, const struct span *others, uint32_t n)
{
	if (gone != n)
		memmove(&spans[at + n], &spans[at + gone], (count - at - gone) * sizeof(spans[0]));
	for (uint32_t i = 0; i < n; i++)
		spans[at + i] = others[i];
	count += n - gone;
}

/* Too many to remember: the smallest gap is given up. */
static void join_closest(void)
{
	struct span joined;
	uint32_t best = 0;

	for (uint32_t i = 1; i + 1 < count; i++)
		if (spans[i + 1].start - spans[i].end < spans[best + 1].start - spans[best].end)
			best = i;
	joined = (struct span){ spans[best].start, spans[best + 1].end };
	splice(best, 2, &joined, 1);
}

static void add(uint64_t start, uint64_t end)
{
	uint32_t first = first_reaching(start), last = first;
	struct span sum = { start, end };

	for (; last < count && spans[last].start <= end; last++) {
		if (spans[last].start < sum.start)
			sum.start = spans[last].start;
		if (spans[last].end > sum.end)
			sum.end = spans[last].end;
	}
	splice(first, last - first, &sum, 1);
	if (count > SPANS)
		join_closest();
}

static void subtract(uint64_t start, uint64_t end)
{
	uint32_t first = first_reaching(start + 1), last = first, n = 0;
	struct span rest[2];

	while (last < count && spans[last].start < end)
		last++;
	if (first == last)
		return;
	if (spans[first].start < start)
		rest[n++] = (struct span){ spans[first].start, start };
	if (spans[last - 1].end > end)
		rest[n++] = (struct span){ end, spans[last - 1].end };
	splice(first, last - first, rest, n);
	if (count > SPANS)
		join_closest();
}

static void guard_add(uint64_t address, uint64_t bytes)
{
	if (bytes && guard_count < GUARDS)
		guards[guard_count++] = (struct guard){ address, bytes };
}

static void guards_subtract(uint64_t start, uint64_t end)
{
	for (uint32_t i = 0; i < guard_count;) {
		struct guard guard = guards[i];

		if (guard.address - start >= end - start) {
			i++;
			continue;
		}
		guards[i] = guards[--guard_count];
		subtract(guard.address - guard.bytes, guard.address);
	}
}

/* The highest place in [low, high) that is free. */
static uint64_t highest(const struct wish *wish, uint64_t low, uint64_t high)
{
	uint64_t bytes = wish->bytes, top = high;

	for (uint32_t i = count;; i--) {
		uint64_t bottom = i && spans[i - 1].end > low ? spans[i - 1].end : low;

		if (top > bottom && top - bottom >= bytes) {
			uint64_t at = (top - bytes) & ~(wish->alignment - 1);

			if (at >= bottom && at - bottom >= wish->guard)
				return at;
		}
		if (!i || spans[i - 1].start <= low)
			return 0;
		if (spans[i - 1].start < top)
			top = spans[i - 1].start;
	}
}

static uint64_t lowest(const struct wish *wish, uint64_t low, uint64_t high)
{
	for (uint32_t i = first_reaching(low + 1);; i++) {
		uint64_t at = (low + wish->guard + wish->alignment - 1) & ~(wish->alignment - 1);
		uint64_t top = i < count && spans[i].start < high ? spans[i].start : high;

		if (at <= top && top - at >= wish->bytes)
			return at;
		if (top == high)
			return 0;
		low = spans[i].end;
	}
}

static uint64_t search(const struct wish *wish)
{
	uint64_t at;

	if (wish->low)
		return lowest(wish, LOW_START, LOW_END);
	at = highest(wish, GUEST_RANGE_END, MAPPING_TOP);
	return at ? at : highest(wish, MAPPING_BOTTOM, GUEST_ADDRESS);
}

uint64_t place_find(const struct wish *wish)
{
	uint64_t at;

	place_hold();
	at = search(wish);
	if (at) {
		add(at - wish->guard, at + wish->bytes);
		guard_add(at, wish->guard);
	}
	place_let_go();
	return at;
}

bool place_claim(uint64_t address, uint64_t bytes)
{
	uint32_t first;
	bool free;

	place_hold();
	first = first_reaching(address + 1);
	free = first == count || spans[first].start >= address + bytes;
	if (free)
		add(address, address + bytes);
	place_let_go();
	return free;
}

void place_take(uint64_t address, uint64_t bytes)
{
	place_hold();
	add(address, address + bytes);
	place_let_go();
}

void place_release(uint64_t address, uint64_t bytes)
{
	if (!bytes)
		return;
	place_hold();
	subtract(address, address + bytes);
	guards_subtract(address, address + bytes);
	place_let_go();
}

long own_map(uint64_t bytes, int fd, uint64_t offset)
{
	const struct wish wish = { .bytes = PAGE_UP(bytes), .alignment = PAGE };
	uint64_t at;
	long r;

	place_hold();
	at = highest(&wish, OWN_ADDRESS, GUEST_RANGE_END);
	if (at)
		add(at, at + wish.bytes);
	place_let_go();
	if (!at)
		return -ENOMEM;
	r = fd < 0 ? sys(__NR_mmap, at, wish.bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
		   : sys(__NR_mmap, at, wish.bytes, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, offset);
	if (failed(r))
		place_release(at, wish.bytes);
	return r;
}

void own_unmap(void *memory, uint64_t bytes)
{
	sys(__NR_munmap, memory, PAGE_UP(bytes));
	place_release((uint64_t)memory, PAGE_UP(bytes));
}
