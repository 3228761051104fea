/* The table of inodes as the host's side reads it: the container may have written anything
 * there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "arena/inodes.h"

static struct arena *arena;

static int map_arena(void **state)
{
	(void)state;
	arena = mmap(NULL, sizeof(*arena), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return arena == MAP_FAILED;
}

static int unmap_arena(void **state)
{
	(void)state;
	return munmap(arena, sizeof(*arena));
}

static void add(uint32_t index, uint64_t device, uint64_t number, uint32_t flags)
{
	uint32_t at = inode_place(device, number);

	arena->inodes[index] = (struct inode){ .device = device, .number = number, .flags = flags };
	while (arena->inode_places[at])
		at = (at + 1) % INODE_PLACES;
	arena->inode_places[at] = index + 1;
	arena->inode_count = index + 1;
}

static void finds_what_was_added(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		add(i, 1 + i % 3, i * 7919, 0);
	for (uint32_t i = 0; i < 1000; i++)
		assert_ptr_equal(inodes_find(arena, 1 + i % 3, i * 7919), &arena->inodes[i]);
	assert_null(inodes_find(arena, 4, 7919));
	assert_null(inodes_find(arena, 1, 7919 * 1000));
}

static void finds_a_number_beside_a_neighbour_s(void **state)
{
	(void)state;
	add(0, 1, 10, 0);
	add(1, 1, 11, 0);
	assert_ptr_equal(inodes_find(arena, 1, 11), &arena->inodes[1]);
	assert_int_equal(inode_place(1, 11), inode_place(1, 10) + 1);
}

static void finds_a_file_by_either_of_its_numbers(void **state)
{
	(void)state;
	add(0, 1, 10, 0);
	arena->inodes[0].other_device = 2;
	arena->inodes[0].other = 20;
	arena->inode_places[inode_place(2, 20)] = 1;
	assert_ptr_equal(inodes_find(arena, 1, 10), &arena->inodes[0]);
	assert_ptr_equal(inodes_find(arena, 2, 20), &arena->inodes[0]);
	assert_null(inodes_find(arena, 1, 20));
}

static void knows_devices_with_changes(void **state)
{
	(void)state;
	add(0, 1, 10, INODE_CHANGED);
	add(1, 2, 11, 0);
	assert_false(inodes_changed(arena, 1));
	arena->inode_changed = 1;
	assert_true(inodes_changed(arena, 1));
	assert_false(inodes_changed(arena, 2));
}

static void survives_nonsense(void **state)
{
	(void)state;
	arena->inode_changed = 1;
	arena->inode_count = UINT32_MAX;
	memset(arena->inode_places, 0xff, sizeof(arena->inode_places));
	assert_null(inodes_find(arena, 1, 10));
	assert_false(inodes_changed(arena, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(finds_what_was_added, map_arena, unmap_arena),
		cmocka_unit_test_setup_teardown(
			finds_a_number_beside_a_neighbour_s, map_arena, unmap_arena),
		cmocka_unit_test_setup_teardown(
			finds_a_file_by_either_of_its_numbers, map_arena, unmap_arena),
		cmocka_unit_test_setup_teardown(knows_devices_with_changes, map_arena, unmap_arena),
		cmocka_unit_test_setup_teardown(survives_nonsense, map_arena, unmap_arena),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
