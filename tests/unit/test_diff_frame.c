/* The frame of comparisons: bytes that are unpacked, limits, members, files that shrink. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "diff/cause.h"
#include "diff/compare.h"
#include "diff/guard.h"
#include "diff/members.h"

static const struct diff_options options = { .memory = 1 << 20, .depth = 2, .members = 100 };
static struct error err;

static struct diff new_diff(void)
{
	return (struct diff){ .options = &options, .budget.left = options.memory };
}

static struct blob blob_of(const char *text)
{
	return (struct blob){ .data = (const unsigned char *)text, .size = strlen(text) };
}

static struct pair pair_of(const char *a, const char *b)
{
	return (struct pair){ blob_of(a), blob_of(b) };
}

static void small_and_large_bytes_come_back_as_written(void **state)
{
	static const uint64_t sizes[] = { 0, 1, 65536, 40u << 20 };
	char chunk[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct budget budget = { .left = 64u << 20 };
		struct blob_writer writer;
		struct blob blob;

		blob_write_start(&writer, &budget);
		for (uint64_t at = 0; at < sizes[i]; at += sizeof(chunk)) {
			uint64_t left = sizes[i] - at;

			memset(chunk, (int)(at / sizeof(chunk) % 251), sizeof(chunk));
			assert_int_equal(blob_write(&writer, chunk,
						 left < sizeof(chunk) ? left : sizeof(chunk), &err),
				0);
		}
		assert_int_equal(budget.left, (64u << 20) - sizes[i]);
		assert_int_equal(blob_write_finish(&writer, &blob, "x", &err), 0);
		assert_int_equal(blob.size, sizes[i]);
		for (uint64_t at = 0; at < sizes[i]; at += 1000)
			assert_int_equal(blob.data[at], at / sizeof(chunk) % 251);
		blob_unpacked_close(&blob, &budget);
		assert_int_equal(budget.left, 64u << 20);
	}
}

static void numbers_beyond_the_end_are_zero(void **state)
{
	struct blob blob = blob_of("\1\2\3\4");

	(void)state;
	assert_int_equal(blob_be(&blob, 0, 4), 0x01020304);
	assert_int_equal(blob_le(&blob, 0, 4), 0x04030201);
	assert_int_equal(blob_be(&blob, 1, 4), 0);
	assert_int_equal(blob_le(&blob, UINT64_MAX, 1), 0);
	assert_true(blob_has(&blob, 2, "\3\4", 2));
	assert_false(blob_has(&blob, 3, "\4\5", 2));
	assert_int_equal(blob_part(&blob, 3, 5, NULL).size, 1);
	assert_int_equal(blob_part(&blob, UINT64_MAX, UINT64_MAX, NULL).size, 0);
}

/* A format that unpacks without end. */
static enum compared bomb(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *error)
{
	char zeros[65536] = { 0 };
	struct blob_writer writer;

	(void)pair;
	node_say(node, LEVEL_DIFFERENT, NULL, "half of it");
	blob_write_start(&writer, &diff->budget);
	while (blob_write(&writer, zeros, sizeof(zeros), error) == 0)
		;
	blob_write_cancel(&writer);
	return COMPARE_FAILED;
}

static void what_unpacks_to_too_much_is_compared_as_bytes(void **state)
{
	struct diff diff = new_diff();
	struct pair pair = pair_of("one", "two");
	struct node *node = compare_pair(&diff, "x", &pair, bomb, "bomb", &err);

	(void)state;
	assert_non_null(node);
	assert_int_equal(node->level, LEVEL_STRUCTURE);
	assert_string_equal(node->format, "bytes");
	assert_int_equal(node->finding_count, 2);
	assert_non_null(strstr(node->findings[0].what, "3 of 3 bytes differ"));
	assert_non_null(strstr(node->findings[1].what, "--memory-limit"));
	assert_int_equal(diff.budget.left, options.memory);
	assert_false(diff.budget.exceeded);
	node_free(node);
}

/* A format that has itself in it. */
static enum compared nest(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *error)
{
	struct node *below = compare_pair(diff, "in", pair, nest, "nest", error);

	return below && node_add(node, below) == 0 ? COMPARED : COMPARE_FAILED;
}

static void deep_nests_are_compared_as_bytes(void **state)
{
	struct diff diff = new_diff();
	struct pair pair = pair_of("one", "two");
	struct node *root = compare_pair(&diff, "x", &pair, nest, "nest", &err), *node = root;
	unsigned depth = 0;

	(void)state;
	for (; node->child_count; node = node->children[0])
		depth++;
	assert_int_equal(depth, options.depth);
	assert_non_null(strstr(node->findings[1].what, "--depth"));
	assert_null(diff.path);
	node_free(root);
}

static void add(struct members *members, struct diff *diff, const char *name, const char *bytes,
	const char *mode)
{
	struct member *member = members_add(members, diff, name, &err);

	assert_non_null(member);
	member->has_bytes = true;
	member->blob = blob_of(bytes);
	assert_int_equal(member_fact(member, "mode", LEVEL_CONTENT, CAUSE_MODE, "%s", mode), 0);
}

static struct node *compare_members(struct members *a, struct members *b)
{
	struct diff diff = new_diff();
	struct node *node = node_new("archive", "test");

	assert_int_equal(members_compare(&diff, node, a, b, NULL, &err), 0);
	members_release(&diff, a);
	members_release(&diff, b);
	return node;
}

static void members_are_matched_in_any_order(void **state)
{
	struct diff diff = new_diff();
	struct members a = { 0 }, b = { 0 };
	struct node *node;

	(void)state;
	add(&a, &diff, "x", "1", "0644");
	add(&a, &diff, "y", "2", "0644");
	add(&b, &diff, "y", "2", "0644");
	add(&b, &diff, "x", "1", "0644");
	node = compare_members(&a, &b);
	assert_int_equal(node->level, LEVEL_CONTENT);
	assert_int_equal(node->objects[LEVEL_BITS], 2);
	assert_int_equal(node->finding_count, 1);
	assert_string_equal(node->findings[0].cause, CAUSE_ORDER);
	node_free(node);
}

static void members_of_one_side_and_facts_are_told(void **state)
{
	struct diff diff = new_diff();
	struct members a = { 0 }, b = { 0 };
	struct node *node;

	(void)state;
	add(&a, &diff, "gone", "1", "0644");
	add(&a, &diff, "twice", "1", "0644");
	add(&a, &diff, "twice", "2", "0644");
	add(&b, &diff, "twice", "1", "0600");
	add(&b, &diff, "twice", "2", "0644");
	node = compare_members(&a, &b);
	assert_int_equal(node->level, LEVEL_DIFFERENT);
	assert_int_equal(node->child_count, 2);
	assert_string_equal(node->children[0]->findings[0].what, "only in A");
	assert_string_equal(node->children[1]->findings[0].what, "mode: 0644, 0600");
	assert_int_equal(node->children[1]->level, LEVEL_CONTENT);
	node_free(node);
}

static void more_members_than_allowed_are_an_error(void **state)
{
	struct diff diff = new_diff();
	struct members members = { 0 };

	(void)state;
	for (uint64_t i = 0; i < options.members; i++)
		assert_non_null(members_add(&members, &diff, "x", &err));
	assert_null(members_add(&members, &diff, "x", &err));
	assert_non_null(strstr(err.text, "more than 100 members"));
	members_release(&diff, &members);
}

static void what_is_ignored_is_not_compared(void **state)
{
	static const char *patterns[] = { "*.log", "build", "x > y" };
	struct diff_options ignoring = options;
	struct diff diff = { .options = &ignoring };

	(void)state;
	ignoring.ignored = patterns;
	ignoring.ignored_count = 3;
	assert_true(compare_ignores(&diff, "a.log"));
	assert_true(compare_ignores(&diff, "deep/in/a.log"));
	assert_true(compare_ignores(&diff, "deep/build/in/a"));
	assert_true(compare_ignores(&diff, "./build"));
	assert_false(compare_ignores(&diff, "deep/builder/a"));
	assert_false(compare_ignores(&diff, "y"));
	diff.path = (char[]){ "x" };
	assert_true(compare_ignores(&diff, "y"));
}

static void look_beyond(void *context)
{
	const volatile unsigned char *mapping = context;

	assert_int_equal(mapping[0], 'x');
	(void)mapping[8192];
}

static void a_file_that_shrinks_ends_the_work_only(void **state)
{
	FILE *file = tmpfile();
	unsigned char *mapping;

	(void)state;
	assert_int_equal(ftruncate(fileno(file), 16384), 0);
	assert_int_equal(pwrite(fileno(file), "x", 1, 0), 1);
	mapping = mmap(NULL, 16384, PROT_READ, MAP_SHARED, fileno(file), 0);
	assert_true(guard_run(look_beyond, mapping));
	assert_int_equal(ftruncate(fileno(file), 1), 0);
	assert_false(guard_run(look_beyond, mapping));
	assert_false(guard_run(look_beyond, mapping));
	munmap(mapping, 16384);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_and_large_bytes_come_back_as_written),
		cmocka_unit_test(numbers_beyond_the_end_are_zero),
		cmocka_unit_test(what_unpacks_to_too_much_is_compared_as_bytes),
		cmocka_unit_test(deep_nests_are_compared_as_bytes),
		cmocka_unit_test(members_are_matched_in_any_order),
		cmocka_unit_test(members_of_one_side_and_facts_are_told),
		cmocka_unit_test(more_members_than_allowed_are_an_error),
		cmocka_unit_test(what_is_ignored_is_not_compared),
		cmocka_unit_test(a_file_that_shrinks_ends_the_work_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
