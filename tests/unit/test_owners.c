/* The list of owners: what is written is read, and a large one is quick. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "image/owners.h"

#define MANY 100000

static struct owners owners;
static struct error err;
static char file[32];
static int fd;

static int make_file(void **state)
{
	strcpy(file, "/tmp/stet-test-owners-XXXXXX");
	fd = mkstemp(file);
	return fd < 0;
}

static int remove_file(void **state)
{
	owners_release(&owners);
	close(fd);
	return unlink(file);
}

static void add(const char *path, uid_t uid, gid_t gid)
{
	assert_int_equal(owners_add(&owners, path, uid, gid, &err), 0);
}

static void what_is_written_is_read(void **state)
{
	char text[64];

	add("/b", 1, 2);
	add("/a", 4294967294u, 0);
	add("/b/c d\n", 0, 5);
	add("/root", 3, 3);
	add("/b", 6, 7); /* the last one counts */
	add("/root", 0, 0);
	assert_int_equal(owners_write(&owners, fd, &err), 0);
	assert_int_equal(pread(fd, text, sizeof(text), 0), 35);
	assert_memory_equal(text,
		"4294967294:0 /a\0"
		"6:7 /b\0"
		"0:5 /b/c d\n",
		35);
	owners_release(&owners);
	assert_int_equal(owners_read(&owners, file, &err), 0);
	assert_int_equal(owners.count, 3);
	assert_string_equal(owners.list[0].path, "/a");
	assert_int_equal(owners.list[0].uid, 4294967294u);
	assert_int_equal(owners_find(&owners, "/b")->gid, 7);
	assert_int_equal(owners_find(&owners, "/b/c d\n")->gid, 5);
	assert_null(owners_find(&owners, "/root"));
}

static void an_empty_list_is_an_empty_file(void **state)
{
	assert_int_equal(owners_write(&owners, fd, &err), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), 0);
	assert_int_equal(owners_read(&owners, file, &err), 0);
	assert_int_equal(owners.count, 0);
}

static void paths_are_forgotten(void **state)
{
	add("/a", 1, 1);
	add("/a/b", 1, 1);
	add("/a-b", 1, 1);
	add("/c", 1, 1);
	owners_forget(&owners, "/c");
	owners_forget(&owners, "/d");
	owners_forget_below(&owners, "/a");
	assert_null(owners_find(&owners, "/c"));
	assert_null(owners_find(&owners, "/a/b"));
	assert_non_null(owners_find(&owners, "/a"));
	assert_non_null(owners_find(&owners, "/a-b"));
}

static void other_files_are_refused(void **state)
{
	static const char *const bad[] = { "x", "1:2 /a", "1:2 a\0", "1 /a\0", "-1:2 /a\0",
		"4294967296:0 /a\0", ":0 /a\0", "1:2/a\0", "1:2 \0" };
	static const size_t sizes[] = { 1, 6, 6, 5, 8, 16, 6, 6, 5 };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		assert_int_equal(ftruncate(fd, 0), 0);
		assert_int_equal(pwrite(fd, bad[i], sizes[i], 0), sizes[i]);
		assert_int_equal(owners_read(&owners, file, &err), -1);
		assert_non_null(strstr(err.text, file));
	}
	assert_int_equal(owners_read(&owners, "/tmp/no/such/file", &err), -1);
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void many_are_quick(void **state)
{
	double start = seconds();
	char path[64];

	for (int i = 0; i < 3 * MANY; i++) {
		sprintf(path, "/usr/share/some/package/file-%d", i % MANY * 7919 % MANY);
		add(path, 1 + i % 5, 7);
	}
	assert_int_equal(owners.count, MANY);
	assert_int_equal(owners_write(&owners, fd, &err), 0);
	owners_release(&owners);
	assert_int_equal(owners_read(&owners, file, &err), 0);
	assert_int_equal(owners.count, MANY);
	for (size_t i = 1; i < owners.count; i++)
		assert_true(strcmp(owners.list[i - 1].path, owners.list[i].path) < 0);
	assert_true(seconds() - start < 10); /* a tenth of a second; without a hash, minutes */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_file, remove_file)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_written_is_read),
		TEST(an_empty_list_is_an_empty_file),
		TEST(paths_are_forgotten),
		TEST(other_files_are_refused),
		TEST(many_are_quick),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
