/* Who owns files: what the host tells the guests, and what it makes of their answers, which may be
 * anything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "arena/file_owners.h"
#include "arena/numbers.h"
#include "box/file_owners.h"

#define MANY 20000

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

static void tell(const struct box_owner *owners, size_t count)
{
	const struct box_config config = { .image = "/", .owners = owners, .owner_count = count };
	struct error err;

	assert_int_equal(file_owners_tell(&config, arena, &err), 0);
}

static void is_owned(const char *path, const struct inode *inode, uid_t uid, gid_t gid)
{
	struct stat status = { .st_uid = 4711, .st_gid = 4712 };

	file_owners_show(arena, path, inode, &status);
	assert_int_equal(status.st_uid, uid);
	assert_int_equal(status.st_gid, gid);
}

static void number_of_a_path_is_that_of_its_parts(void **state)
{
	(void)state;
	assert_int_equal(number_path("/"), ROOT_NUMBER);
	assert_int_equal(number_path("/a"), number_below(ROOT_NUMBER, "a", 0));
	assert_int_equal(number_path("/a/b"), number_below(number_path("/a"), "b", 0));
	assert_int_equal(number_path("//a//b/"), number_path("/a/b"));
	assert_true(number_path("/ab") != number_path("/a/b"));
}

static void listed_files_have_their_owners_and_others_are_root_s(void **state)
{
	const struct box_owner owners[] = { { "/", 1, 2 }, { "/a", 3, 0 }, { "/a/b", 0, 4 } };

	(void)state;
	tell(owners, 3);
	is_owned("/", NULL, 1, 2);
	is_owned("/a", NULL, 3, 0);
	is_owned("/a/b", NULL, 0, 4);
	is_owned("/b", NULL, 0, 0);
}

static void many_owners_are_all_found(void **state)
{
	static struct box_owner owners[MANY];
	static char paths[MANY][32];

	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(paths[i], sizeof(paths[i]), "/d%u/f%u", i % 100, i);
		owners[i] = (struct box_owner){ paths[i], i + 1, i + 2 };
	}
	tell(owners, MANY);
	for (unsigned i = 0; i < MANY; i++)
		is_owned(paths[i], NULL, i + 1, i + 2);
}

static void more_owners_than_fit_are_an_error(void **state)
{
	const struct box_config config = { .image = "/", .owner_count = FILE_OWNERS + 1 };
	struct error err;

	(void)state;
	assert_int_equal(file_owners_tell(&config, arena, &err), -1);
	assert_non_null(strstr(err.text, "owners"));
}

static void renamed_file_keeps_its_owner(void **state)
{
	const struct box_owner owner = { "/old", 5, 6 };
	const struct inode moved = { .shown = number_path("/old") };

	(void)state;
	tell(&owner, 1);
	is_owned("/new", &moved, 5, 6);
	is_owned("/new", NULL, 0, 0);
}

static void what_programs_set_counts(void **state)
{
	const struct box_owner owner = { "/f", 5, 6 };
	const struct inode set = { .flags = INODE_OWNED, .uid = 7, .gid = 8 };

	(void)state;
	tell(&owner, 1);
	is_owned("/f", &set, 7, 8);
}

static void new_file_belongs_to_whom_the_kernel_says(void **state)
{
	const struct box_owner owner = { "/f", 5, 6 };
	const struct inode made = { .flags = INODE_MADE };

	(void)state;
	tell(&owner, 1);
	is_owned("/f", &made, 4711, 4712);
}

static void files_with_owners_of_their_own_show_them(void **state)
{
	const struct box_config config = { .image = "/", .own_owners = true };
	struct error err;

	(void)state;
	assert_int_equal(file_owners_tell(&config, arena, &err), 0);
	is_owned("/f", NULL, 4711, 4712);
}

static void survives_nonsense(void **state)
{
	(void)state;
	arena->config.file_owners = UINT32_MAX;
	memset(arena->file_owners, 0xff, sizeof(arena->file_owners));
	is_owned("/f", NULL, 0, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, map_arena, unmap_arena)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(number_of_a_path_is_that_of_its_parts),
		TEST(listed_files_have_their_owners_and_others_are_root_s),
		TEST(many_owners_are_all_found),
		TEST(more_owners_than_fit_are_an_error),
		TEST(renamed_file_keeps_its_owner),
		TEST(what_programs_set_counts),
		TEST(new_file_belongs_to_whom_the_kernel_says),
		TEST(files_with_owners_of_their_own_show_them),
		TEST(survives_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
