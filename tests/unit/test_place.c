/* The guest's choice of addresses, against a simple model: a byte per page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "guest/place.h"
#include "guest/sys.h"

#define PAGES 2048ul /* below the top, as far as the model reaches */
#define BASE  (MAPPING_TOP - PAGES * PAGE)

struct process process;
static uint8_t used[PAGES];

/* The guest's way to the kernel: own_map is all that would go there. */
long sys_do(long number, long a, long b, long c, long d, long e, long f)
{
	(void)number, (void)b, (void)c, (void)d, (void)e, (void)f;
	return a;
}

static uint64_t page_address(unsigned long page)
{
	return BASE + page * PAGE;
}

static bool all_free(unsigned long first, unsigned long pages)
{
	for (unsigned long i = first; i < first + pages; i++)
		if (used[i])
			return false;
	return true;
}

static void set(unsigned long first, unsigned long pages, uint8_t value)
{
	memset(used + first, value, pages);
}

static unsigned long random_below(unsigned long limit)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned long)(state >> 33) % limit;
}

/* First fit from the top. */
static uint64_t expected(unsigned long pages, unsigned long alignment)
{
	for (unsigned long at = PAGES - pages + 1; at-- > 0;)
		if (page_address(at) % (alignment * PAGE) == 0 && all_free(at, pages))
			return page_address(at);
	return 0;
}

static void find(unsigned long pages, unsigned long alignment)
{
	const struct wish wish = { .bytes = pages * PAGE, .alignment = alignment * PAGE };
	uint64_t at = expected(pages, alignment), found = place_find(&wish);

	if (!at) { /* below the model, or reaching into it from below */
		assert_true(found < BASE);
		place_release(found, pages * PAGE);
		return;
	}
	assert_int_equal(found, at);
	set((at - BASE) / PAGE, pages, 1);
}

static void step(void)
{
	unsigned long pages = 1 + random_below(20), first = random_below(PAGES - pages);

	switch (random_below(5)) {
	case 0:
	case 1:
		find(pages, random_below(8) ? 1 : 16);
		return;
	case 2:
		place_take(page_address(first), pages * PAGE);
		set(first, pages, 1);
		return;
	case 3:
		place_release(page_address(first), pages * PAGE);
		set(first, pages, 0);
		return;
	default:
		if (all_free(first, pages)) {
			assert_true(place_claim(page_address(first), pages * PAGE));
			set(first, pages, 1);
		} else {
			assert_false(place_claim(page_address(first), pages * PAGE));
		}
	}
}

static void addresses_are_the_highest_free(void **state)
{
	(void)state;
	for (int i = 0; i < 200000; i++)
		step();
	place_release(BASE, PAGES * PAGE);
	set(0, PAGES, 0);
}

static void a_guard_goes_with_its_mapping(void **state)
{
	const struct wish guarded = { .bytes = PAGE, .alignment = PAGE, .guard = 2 * PAGE };
	const struct wish plain = { .bytes = PAGE, .alignment = PAGE };

	(void)state;
	assert_int_equal(place_find(&guarded), MAPPING_TOP - PAGE);
	assert_int_equal(place_find(&plain), MAPPING_TOP - 4 * PAGE);
	place_release(MAPPING_TOP - PAGE, PAGE);
	assert_int_equal(place_find(&guarded), MAPPING_TOP - PAGE);
	place_release(MAPPING_TOP - 4 * PAGE, 4 * PAGE);
}

static void low_addresses_come_from_below(void **state)
{
	const struct wish low = { .bytes = 2 * PAGE, .alignment = PAGE, .low = true };
	const struct wish huge = { .bytes = 0x40000000, .alignment = PAGE, .low = true };

	(void)state;
	assert_int_equal(place_find(&low), 0x40000000);
	assert_int_equal(place_find(&low), 0x40002000);
	place_release(0x40000000, PAGE);
	assert_int_equal(place_find(&low), 0x40004000);
	assert_int_equal(place_find(&huge), 0);
	place_release(0x40000000, 0x10000);
	assert_int_equal(place_find(&huge), 0x40000000);
	place_release(0x40000000, 0x40000000);
}

/* More holes than the table has room for: it may waste some, but never hands out what is in use. */
static void too_many_holes_are_survived(void **state)
{
	const struct wish wish = { .bytes = PAGE, .alignment = PAGE };
	const uint64_t base = 0x100000000000, holes = 20000;

	(void)state;
	for (uint64_t i = 0; i < holes; i++)
		place_take(base + 2 * i * PAGE, PAGE);
	for (uint64_t i = 0; i < holes; i++)
		assert_false(place_claim(base + 2 * i * PAGE, PAGE));
	assert_int_equal(place_find(&wish), MAPPING_TOP - PAGE);
	place_release(MAPPING_TOP - PAGE, PAGE);
	place_release(base, 2 * holes * PAGE);
	assert_true(place_claim(base, 2 * holes * PAGE));
	place_release(base, 2 * holes * PAGE);
}

static void more_than_fits_above_the_guest_goes_below(void **state)
{
	const struct wish large = { .bytes = 1ull << 40, .alignment = PAGE };
	const struct wish too_large = { .bytes = 1ull << 47, .alignment = PAGE };
	uint64_t first, second;

	(void)state;
	first = place_find(&large);
	second = place_find(&large);
	assert_int_equal(first, MAPPING_TOP - large.bytes);
	assert_int_equal(second, GUEST_ADDRESS - large.bytes);
	assert_int_equal(place_find(&too_large), 0);
	place_release(first, large.bytes);
	place_release(second, large.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_are_the_highest_free),
		cmocka_unit_test(a_guard_goes_with_its_mapping),
		cmocka_unit_test(low_addresses_come_from_below),
		cmocka_unit_test(too_many_holes_are_survived),
		cmocka_unit_test(more_than_fits_above_the_guest_goes_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
