/* The owners of files in a directory. Only root can give files away; for others all are their own. */
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

#include "image/owners_walk.h"

static char root[] = "/tmp/stet-test-owners-XXXXXX";

static int make_tree(void **state)
{
	(void)state;
	return !mkdtemp(root) || chdir(root) || mkdir("d", 0755) || mkdir("d/e", 0700) ||
	       symlink("nowhere", "d/l") || mkfifo("p", 0644) || link("p", "d/e/q");
}

static int remove_tree(void **state)
{
	(void)state;
	return unlink("d/e/q") || unlink("p") || unlink("d/l") || rmdir("d/e") || rmdir("d") ||
	       chdir("/") || rmdir(root);
}

static void what_the_caller_owns_is_root_s(void **state)
{
	struct owners owners = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(owners_walk(&owners, root, &err), 0);
	assert_int_equal(owners.count, 0);
	owners_release(&owners);
}

static void is_listed(const struct owners *owners, const char *path, uid_t uid, gid_t gid)
{
	const struct owner *owner = owners_find(owners, path);

	assert_non_null(owner);
	assert_int_equal(owner->uid, uid);
	assert_int_equal(owner->gid, gid);
}

static void all_that_others_own_is_listed_under_each_name(void **state)
{
	struct owners owners = { 0 };
	struct error err;

	(void)state;
	if (geteuid() != 0)
		skip();
	assert_int_equal(chown(".", 1, 2), 0);
	assert_int_equal(chown("d/e", 0, 3), 0);
	assert_int_equal(lchown("d/l", 4, 0), 0);
	assert_int_equal(chown("p", 5, 6), 0);
	assert_int_equal(owners_walk(&owners, root, &err), 0);
	assert_int_equal(owners.count, 5);
	is_listed(&owners, "/", 1, 2);
	is_listed(&owners, "/d/e", 0, 3);
	is_listed(&owners, "/d/l", 4, 0);
	is_listed(&owners, "/p", 5, 6);
	is_listed(&owners, "/d/e/q", 5, 6);
	assert_null(owners_find(&owners, "/d"));
	owners_release(&owners);
}

static void missing_directory_is_an_error(void **state)
{
	struct owners owners = { 0 };
	struct error err;

	(void)state;
	assert_int_equal(owners_walk(&owners, "/no/such/directory", &err), -1);
	assert_non_null(strstr(err.text, "/no/such/directory"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_caller_owns_is_root_s),
		cmocka_unit_test(all_that_others_own_is_listed_under_each_name),
		cmocka_unit_test(missing_directory_is_an_error),
	};

	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
