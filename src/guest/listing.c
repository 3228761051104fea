#include "guest/listing.h"

#include "guest/process.h"

/*
 * Slots of address space: as large as any directory, mapped as far as needed. When all are taken,
 * one that is not in use at the moment is taken from its descriptor, which then gets a new listing.
 */
#define SLOTS	   128u
#define SLOT_BYTES (256ull << 20)
#define CHUNK	   (32ull << 10)  /* at least this much room for a call */
#define KEPT	   (128ull << 10) /* what stays mapped of a slot that is free */
_Static_assert(LISTING_ADDRESS + SLOTS * SLOT_BYTES <= AREA_ADDRESS, "the next range");

/* A slot is taken by changing its state; whoever is killed while BUSY takes it along, no more. */
enum { FREE, BUSY, IDLE };

static struct listing slots[SLOTS];
static uint32_t reach HOT; /* slots that were ever used */

/* A vfork's child shares our memory, but its descriptors are its own. */
static uint64_t owner_of(const struct thread *self, uint64_t fd)
{
	return (self->other_files ? (uint64_t)(self->task + 1) << 32 : 0) | (uint32_t)fd;
}

static bool take(struct listing *listing, uint32_t state)
{
	return __atomic_compare_exchange_n(
		&listing->state, &state, BUSY, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

struct listing *listing_take(struct thread *self, uint64_t fd)
{
	uint64_t owner = owner_of(self, fd);

	for (uint32_t i = 0; i < reach; i++) {
		struct listing *listing = &slots[i];

		if (listing->owner != owner || !take(listing, IDLE))
			continue;
		if (listing->owner == owner)
			return listing;
		listing_put(listing, true);
	}
	return NULL;
}

static struct listing *take_any(uint32_t state)
{
	for (uint32_t i = 0; i < SLOTS; i++) {
		uint32_t known = __atomic_load_n(&reach, __ATOMIC_RELAXED);

		if (slots[i].state != state || !take(&slots[i], state))
			continue;
		while (known <= i && !__atomic_compare_exchange_n(&reach, &known, i + 1, false,
					     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
			;
		slots[i].memory = (char *)(LISTING_ADDRESS + i * SLOT_BYTES);
		return &slots[i];
	}
	return NULL;
}

struct listing *listing_new(struct thread *self, uint64_t fd)
{
	struct listing *listing = listing_take(self, fd);

	if (!listing)
		listing = take_any(FREE);
	if (!listing)
		listing = take_any(IDLE);
	if (listing)
		listing->owner = owner_of(self, fd);
	return listing;
}

static void shrink(struct listing *listing)
{
	if (listing->mapped <= KEPT)
		return;
	sys(__NR_munmap, listing->memory + KEPT, listing->mapped - KEPT);
	listing->mapped = KEPT;
}

void listing_put(struct listing *listing, bool good)
{
	if (!good) {
		listing->owner = ~0ull;
		shrink(listing);
	}
	__atomic_store_n(&listing->state, good ? IDLE : FREE, __ATOMIC_RELEASE);
}

void listing_forget(uint64_t first, uint64_t last)
{
	uint64_t base = owner_of(thread_self(), 0);

	for (uint32_t i = 0; i < reach; i++) {
		struct listing *listing = &slots[i];

		if (listing->owner - base - first <= last - first && take(listing, IDLE))
			listing_put(listing, listing->owner - base - first > last - first);
	}
}

/* Makes at least so much memory usable. */
static bool grow(struct listing *listing, uint64_t bytes)
{
	uint64_t wanted = 2 * listing->mapped;
	char *end = listing->memory + listing->mapped;

	if (bytes <= listing->mapped)
		return true;
	if (bytes > SLOT_BYTES)
		return false;
	if (wanted < KEPT)
		wanted = KEPT;
	while (wanted < bytes)
		wanted *= 2;
	if (sys(__NR_mmap, end, wanted - listing->mapped, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != (long)end)
		return false;
	listing->mapped = wanted;
	return true;
}

long listing_read(struct listing *listing, uint64_t fd)
{
	long n;

	listing->bytes = 0;
	do {
		if (!grow(listing, listing->bytes + CHUNK))
			return -ENOMEM;
		n = sys(__NR_getdents64, (int)fd, listing->memory + listing->bytes,
			listing->mapped - listing->bytes);
		if (failed(n))
			return n;
		listing->bytes += (uint64_t)n;
	} while (n > 0);
	return 0;
}

/* The directory itself and its parent come first. */
static uint64_t dots(const char *name)
{
	if (name[0] != '.')
		return 0;
	return !name[1] ? 1 : name[1] == '.' && !name[2] ? 2 : 0;
}

static uint64_t number_key(const char *name)
{
	uint64_t n = 0;

	for (; *name; name++) {
		if (*name < '0' || *name > '9' || n > 1ull << 40)
			return 0;
		n = n * 10 + (uint64_t)(*name - '0');
	}
	return n + 3;
}

/* The next 7 bytes of a name, the first one on top; what lies behind its end does not count. */
#define KEY_BYTES 7
#define TEXT	  (1ull << 56) /* numbers are below */

static uint64_t text_key(const char *name)
{
	uint64_t word, key, zeros;

	__builtin_memcpy(&word, name, 8);
	key = __builtin_bswap64(word) >> 8;
	zeros = (word - 0x0101010101010101ull) & ~word & 0x8080808080808080ull;
	if (zeros)
		key &= ~0ull << (56 - (__builtin_ctzll(zeros) & ~7));
	return TEXT | key;
}

static uint64_t key_of(const char *name, bool numbers)
{
	uint64_t key = dots(name);

	if (!key && numbers)
		key = number_key(name);
	return key ? key : text_key(name);
}

static void merge(
	const struct listing_place *from, uint64_t middle, uint64_t count, struct listing_place *to)
{
	uint64_t a = 0, b = middle;

	if (middle < count && from[middle].key < from[middle - 1].key) {
		while (a < middle && b < count) {
			/* Without a jump, which nobody could predict. */
			uint64_t second = from[b].key < from[a].key;

			*to++ = from[a ^ ((a ^ b) & -second)];
			b += second;
			a += 1 - second;
		}
	}
	while (a < middle)
		*to++ = from[a++];
	while (b < count)
		*to++ = from[b++];
}

#define RUN 8u

static void insert_runs(struct listing_place *places, uint64_t count)
{
	for (uint64_t i = 1; i < count; i++) {
		struct listing_place one = places[i];
		uint64_t to = i;

		for (; to % RUN && one.key < places[to - 1].key; to--)
			places[to] = places[to - 1];
		places[to] = one;
	}
}

/* Names that begin alike have equal keys for a while. */
static bool is_sorted(const struct listing_place *places, uint64_t count)
{
	for (uint64_t i = 1; i < count; i++)
		if (places[i].key < places[i - 1].key)
			return false;
	return true;
}

/* From runs to pairs of runs, to and fro between two arrays; the result is in the first. */
static void sort_by_key(struct listing_place *places, struct listing_place *spare, uint64_t count)
{
	struct listing_place *from = places, *to = spare;

	if (is_sorted(places, count))
		return;
	insert_runs(places, count);
	for (uint64_t run = RUN; run < count; run *= 2) {
		struct listing_place *merged = to;

		for (uint64_t i = 0; i < count; i += 2 * run) {
			uint64_t left = count - i;

			merge(from + i, left < run ? left : run, left < 2 * run ? left : 2 * run,
				to + i);
		}
		to = from;
		from = merged;
	}
	if (from != places)
		memcpy(places, from, count * sizeof(*places));
}

/*
 * By the keys that the places have, and those of which the keys are equal by what follows in their
 * names. The depth is bounded by the length of a name.
 */
static void sort_places(const struct listing *listing, struct listing_place *places,
	struct listing_place *spare, uint64_t count, uint64_t depth)
{
	sort_by_key(places, spare, count);
	for (uint64_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && places[end].key == places[i].key;)
			end++;
		if (end - i == 1 || !(places[i].key & 0xff))
			continue;
		for (uint64_t k = i; k < end; k++)
			places[k].key = text_key(listing->memory + places[k].at +
						 offsetof(struct listed, name) + depth + KEY_BYTES);
		sort_places(listing, places + i, spare, end - i, depth + KEY_BYTES);
	}
}

static uint32_t count_entries(const struct listing *listing)
{
	uint32_t count = 0;

	for (uint64_t at = 0; at < listing->bytes;
		at += ((struct listed *)(listing->memory + at))->length)
		count++;
	return count;
}

long listing_sort(struct listing *listing, bool numbers)
{
	struct listing_place *places;

	listing->count = count_entries(listing);
	if (!grow(listing, listing->bytes + 2 * listing->count * sizeof(*places)))
		return -ENOMEM;
	places = (struct listing_place *)(listing->memory + listing->bytes);
	for (uint64_t at = 0, i = 0; at < listing->bytes; i++) {
		const struct listed *entry = (const struct listed *)(listing->memory + at);

		places[i] = (struct listing_place){ key_of(entry->name, numbers), (uint32_t)at, 0 };
		at += entry->length;
	}
	sort_places(listing, places, places + listing->count, listing->count, 0);
	listing->places = places;
	return 0;
}

void listing_turn(struct listing *listing)
{
	struct listing_place *places = listing->places;

	for (uint64_t i = 2, j = listing->count; i + 1 < j; i++) {
		struct listing_place place = places[i];

		places[i] = places[--j];
		places[j] = place;
	}
}
