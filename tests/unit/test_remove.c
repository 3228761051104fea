/* Removing trees that are deep, wide or closed, and nothing else. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "image/remove.h"
#include "unpack_place.h"

static struct place place;

static int make_place(void **state)
{
	place_make(&place);
	assert_int_equal(mkdirat(place.root, "beside", 0755), 0);
	assert_int_equal(mkdirat(place.root, "beside/sub", 0755), 0);
	return 0;
}

static int remove_place(void **state)
{
	assert_int_equal(faccessat(place.root, "beside/sub", F_OK, 0), 0);
	place_remove(&place);
	return 0;
}

static void touch(int dir, const char *name)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	close(fd);
}

static void assert_removed(const char *name)
{
	assert_int_equal(remove_tree(place.root, name), 0);
	assert_int_equal(faccessat(place.root, name, F_OK, AT_SYMLINK_NOFOLLOW), -1);
}

/* A chain of directories that is longer than a path can be; some have a file and a branch. */
static void deep_trees_are_removed(void **state)
{
	char name[201];
	int dir, below;

	memset(name, 'd', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	assert_int_equal(mkdirat(place.root, "deep", 0755), 0);
	dir = openat(place.root, "deep", O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 150; i++) {
		if (i % 10 == 0) {
			touch(dir, "file");
			assert_int_equal(mkdirat(dir, "0", 0755), 0);
			touch(dir, "0/file");
		}
		assert_int_equal(mkdirat(dir, name, 0755), 0);
		below = openat(dir, name, O_RDONLY | O_DIRECTORY);
		close(dir);
		dir = below;
	}
	close(dir);
	assert_removed("deep");
}

static void wide_trees_are_removed(void **state)
{
	char name[32];

	assert_int_equal(mkdirat(place.root, "wide", 0755), 0);
	for (int i = 0; i < 500; i++) {
		sprintf(name, "wide/%d", i);
		assert_int_equal(mkdirat(place.root, name, 0755), 0);
		sprintf(name, "wide/%d/file", i);
		touch(place.root, name);
	}
	assert_removed("wide");
}

static void closed_trees_are_removed(void **state)
{
	assert_int_equal(mkdirat(place.root, "a", 0755), 0);
	assert_int_equal(mkdirat(place.root, "a/b", 0755), 0);
	assert_int_equal(mkdirat(place.root, "a/b/c", 0755), 0);
	touch(place.root, "a/b/c/file");
	assert_int_equal(fchmodat(place.root, "a/b/c", 0, 0), 0);
	assert_int_equal(fchmodat(place.root, "a/b", 0111, 0), 0);
	assert_int_equal(fchmodat(place.root, "a", 0444, 0), 0);
	assert_removed("a");
}

static void links_are_not_followed(void **state)
{
	assert_int_equal(symlinkat("beside", place.root, "link"), 0);
	assert_removed("link");
	assert_int_equal(mkdirat(place.root, "a", 0755), 0);
	assert_int_equal(symlinkat("../beside", place.root, "a/link"), 0);
	assert_int_equal(linkat(place.root, "a/link", place.root, "a/other", 0), 0);
	assert_int_equal(mkfifoat(place.root, "a/fifo", 0), 0);
	assert_removed("a");
}

static void what_is_not_there_is_said(void **state)
{
	errno = 0;
	assert_int_equal(remove_tree(place.root, "nothing"), -1);
	assert_int_equal(errno, ENOENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

static int run(void)
{
	const struct CMUnitTest tests[] = {
		TEST(deep_trees_are_removed),
		TEST(wide_trees_are_removed),
		TEST(closed_trees_are_removed),
		TEST(links_are_not_followed),
		TEST(what_is_not_there_is_said),
	};

	return cmocka_run_group_tests_name(
		geteuid() ? "removal as an ordinary user" : "removal as root", tests, NULL, NULL);
}

int main(void)
{
	return run_as_both(run);
}
