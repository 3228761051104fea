/* Changes between sequences, of lines and of bytes: what they say leads from A to B, shortly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "diff/lines.h"
#include "diff/myers.h"
#include "diff/resync.h"

#define SIZE_MOST 4096

static uint64_t state = 1;

static uint32_t any(uint32_t below)
{
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(state >> 33) % below;
}

static uint64_t length(const struct changes *changes)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < changes->count; i++)
		sum += changes->list[i].a_count + changes->list[i].b_count;
	return sum;
}

/* Between the changes, and at both ends, A and B are the same. */
static void assert_leads(const uint32_t *a, uint64_t a_count, const uint32_t *b, uint64_t b_count,
	const struct changes *changes)
{
	uint64_t a_at = 0, b_at = 0;

	for (size_t i = 0; i <= changes->count; i++) {
		bool last = i == changes->count;
		uint64_t a_to = last ? a_count : changes->list[i].a;
		uint64_t b_to = last ? b_count : changes->list[i].b;

		assert_true(a_to >= a_at && a_to <= a_count);
		assert_int_equal(a_to - a_at, b_to - b_at);
		assert_memory_equal(a + a_at, b + b_at, (a_to - a_at) * sizeof(*a));
		if (last)
			break;
		a_at = a_to + changes->list[i].a_count;
		b_at = b_to + changes->list[i].b_count;
		assert_true(changes->list[i].a_count || changes->list[i].b_count);
	}
}

/* The length of a shortest way, by the table that textbooks have. */
static uint64_t shortest(const uint32_t *a, uint64_t a_count, const uint32_t *b, uint64_t b_count)
{
	uint64_t rows[2][64] = { 0 };

	for (uint64_t k = 0; k <= b_count; k++)
		rows[0][k] = k;
	for (uint64_t i = 1; i <= a_count; i++) {
		uint64_t *above = rows[(i - 1) % 2], *row = rows[i % 2];

		row[0] = i;
		for (uint64_t k = 1; k <= b_count; k++) {
			row[k] = 1 + (above[k] < row[k - 1] ? above[k] : row[k - 1]);
			if (a[i - 1] == b[k - 1])
				row[k] = above[k - 1];
		}
	}
	return rows[a_count % 2][b_count];
}

static void the_way_between_short_sequences_is_the_shortest(void **unused)
{
	(void)unused;
	for (int round = 0; round < 20000; round++) {
		uint32_t a[32], b[32], ids = 1 + any(8);
		uint64_t a_count = any(32), b_count = any(32);
		struct changes changes = { 0 };

		for (int i = 0; i < 32; i++) {
			a[i] = any(ids);
			b[i] = any(ids);
		}
		assert_int_equal(myers(a, a_count, b, b_count, ids, &changes), 0);
		assert_leads(a, a_count, b, b_count, &changes);
		assert_int_equal(length(&changes), shortest(a, a_count, b, b_count));
		changes_release(&changes);
	}
}

/* So many steps that the search takes what it has. */
static void long_sequences_with_nothing_in_order_end_in_time(void **unused)
{
	uint64_t count = 200000;
	uint32_t *a = calloc(count, sizeof(*a)), *b = calloc(count, sizeof(*b));
	struct changes changes = { 0 };

	(void)unused;
	for (uint64_t i = 0; i < count; i++) {
		a[i] = any(1000);
		b[i] = any(1000);
	}
	assert_int_equal(myers(a, count, b, count, 1000, &changes), 0);
	assert_leads(a, count, b, count, &changes);
	assert_true(length(&changes) < 2 * count);
	changes_release(&changes);
	free(a);
	free(b);
}

static void assert_bytes_lead(const unsigned char *a, uint64_t a_size, const unsigned char *b,
	uint64_t b_size, const struct changes *changes)
{
	uint64_t a_at = 0, b_at = 0;

	for (size_t i = 0; i < changes->count; i++) {
		const struct change *change = &changes->list[i];

		assert_int_equal(change->a - a_at, change->b - b_at);
		assert_memory_equal(a + a_at, b + b_at, change->a - a_at);
		a_at = change->a + change->a_count;
		b_at = change->b + change->b_count;
	}
	assert_int_equal(a_size - a_at, b_size - b_at);
	assert_memory_equal(a + a_at, b + b_at, a_size - a_at);
}

/* What is inserted, removed or replaced at some places is nearly all that is said to differ. */
static void insertions_are_found_behind_each_other(void **unused)
{
	unsigned char a[SIZE_MOST], b[SIZE_MOST + 256];

	(void)unused;
	for (int round = 0; round < 2000; round++) {
		uint64_t edits = any(4), at = 0, size = 0, edited = 0;
		struct changes changes = { 0 };

		for (size_t i = 0; i < sizeof(a); i++)
			a[i] = (unsigned char)any(256);
		for (uint64_t i = 0; i < edits; i++) {
			uint64_t same = 200 + any(600), gone = any(32), come = any(32);

			memcpy(b + size, a + at, same);
			size += same;
			at += same + gone;
			for (uint64_t k = 0; k < come; k++)
				b[size++] = (unsigned char)any(256);
			edited += gone + come;
		}
		memcpy(b + size, a + at, sizeof(a) - at);
		size += sizeof(a) - at;
		assert_int_equal(resync(a, sizeof(a), b, size, &changes), 0);
		assert_bytes_lead(a, sizeof(a), b, size, &changes);
		assert_true(length(&changes) <= edited);
		changes_release(&changes);
	}
}

static void bytes_that_repeat_are_led_through(void **unused)
{
	unsigned char a[SIZE_MOST], b[SIZE_MOST];

	(void)unused;
	for (int round = 0; round < 2000; round++) {
		uint64_t a_size = any(SIZE_MOST), b_size = any(SIZE_MOST);
		struct changes changes = { 0 };

		for (size_t i = 0; i < SIZE_MOST; i++) {
			a[i] = any(200) == 0;
			b[i] = any(200) == 0;
		}
		assert_int_equal(resync(a, a_size, b, b_size, &changes), 0);
		assert_bytes_lead(a, a_size, b, b_size, &changes);
		changes_release(&changes);
	}
}

static struct pair pair_of(const char *a, const char *b)
{
	return (struct pair){ { .data = (const unsigned char *)a, .size = strlen(a) },
		{ .data = (const unsigned char *)b, .size = strlen(b) } };
}

static void assert_line(
	const struct lines *lines, const struct side *side, uint64_t index, const char *expected)
{
	struct blob line = lines_at(lines, side, index);

	assert_int_equal(line.size, strlen(expected));
	assert_memory_equal(line.data, expected, line.size);
}

static void equal_lines_at_both_ends_are_left_out(void **unused)
{
	struct pair pair = pair_of("1\n2\n3\n4\n5\nx\n7\n8\n9\n10\n11\n12\n",
		"1\n2\n3\n4\n5\ny\nz\n7\n8\n9\n10\n11\n12\n");
	struct lines lines;

	(void)unused;
	assert_int_equal(lines_split(&lines, &pair, false, 1 << 20), 0);
	assert_int_equal(lines.before, 2);
	assert_line(&lines, &lines.a, 0, "3");
	assert_line(&lines, &lines.a, 3, "x");
	assert_line(&lines, &lines.b, 4, "z");
	assert_int_equal(lines.a.lines, 12);
	assert_int_equal(lines.b.lines, 13);
	assert_true(lines.a.count < 12);
	assert_int_equal(lines.a.ids[0], lines.b.ids[0]);
	assert_int_not_equal(lines.a.ids[3], lines.b.ids[3]);
	lines_release(&lines);
}

static void lines_beyond_the_memory_are_refused(void **unused)
{
	struct pair pair = pair_of("a\nb\nc\nd\n", "e\nf\ng\nh\n");
	struct lines lines;

	(void)unused;
	assert_int_equal(lines_split(&lines, &pair, false, 64), 1);
	lines_release(&lines);
}

static void random_texts_are_split_into_the_same_lines(void **unused)
{
	(void)unused;
	for (int round = 0; round < 20000; round++) {
		char text[2][24] = { 0 };
		struct changes changes = { 0 };
		struct lines lines;
		struct pair pair;

		for (int side = 0; side < 2; side++)
			for (uint32_t i = 0, size = any(23); i < size; i++)
				text[side][i] = "ab\n"[any(3)];
		pair = pair_of(text[0], text[1]);
		assert_int_equal(lines_split(&lines, &pair, false, 1 << 20), 0);
		assert_int_equal(lines.a.lines - lines.b.lines, lines.a.count - lines.b.count);
		assert_int_equal(myers(lines.a.ids, lines.a.count, lines.b.ids, lines.b.count,
					 lines.ids, &changes),
			0);
		if (blob_equal(&pair.a, &pair.b))
			assert_int_equal(changes.count, 0);
		else
			assert_true(changes.count ||
				    lines.a.ends_in_newline != lines.b.ends_in_newline);
		changes_release(&changes);
		lines_release(&lines);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_way_between_short_sequences_is_the_shortest),
		cmocka_unit_test(long_sequences_with_nothing_in_order_end_in_time),
		cmocka_unit_test(insertions_are_found_behind_each_other),
		cmocka_unit_test(bytes_that_repeat_are_led_through),
		cmocka_unit_test(equal_lines_at_both_ends_are_left_out),
		cmocka_unit_test(lines_beyond_the_memory_are_refused),
		cmocka_unit_test(random_texts_are_split_into_the_same_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
