/* Options of the command line: the parser, and the values that it hands on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "arena/layout.h"
#include "cli/environment.h"
#include "cli/options.h"
#include "cli/values.h"

struct seen {
	char text[256];
};

static int set_name(void *target, const char *value, struct error *err)
{
	struct seen *seen = target;

	strcat(strcat(seen->text, "name="), value);
	strcat(seen->text, ";");
	return 0;
}

static int set_flag(void *target, const char *value, struct error *err)
{
	strcat(((struct seen *)target)->text, "flag;");
	return 0;
}

static const struct option_row rows[] = {
	{ "name", 'n', "VALUE", "", set_name },
	{ "flag", 'f', NULL, "", set_flag },
	{ "future", 0, "X", "", NULL },
};

/* Parses words, which end with NULL; gives what was seen, and the first word left over. */
static int parse(char **words, struct seen *seen, const char **rest, struct error *err)
{
	char **left = NULL;
	int failed = options_parse(rows, 3, seen, words, &left, err);

	*rest = failed ? NULL : *left;
	return failed;
}

static void options_come_in_every_usual_form(void **state)
{
	char *words[] = { "--name", "a", "--name=b=c", "-n", "d", "-ne", "-ff", "-fng", "--flag",
		"cmd", "-f", NULL };
	struct seen seen = { "" };
	struct error err;
	const char *rest;

	assert_int_equal(parse(words, &seen, &rest, &err), 0);
	assert_string_equal(seen.text, "name=a;name=b=c;name=d;name=e;flag;flag;flag;name=g;flag;");
	assert_string_equal(rest, "cmd");
}

static void two_dashes_end_the_options(void **state)
{
	char *words[] = { "-f", "--", "-f", NULL };
	struct seen seen = { "" };
	struct error err;
	const char *rest;

	assert_int_equal(parse(words, &seen, &rest, &err), 0);
	assert_string_equal(seen.text, "flag;");
	assert_string_equal(rest, "-f");
}

static void a_single_dash_is_no_option(void **state)
{
	char *words[] = { "-", NULL };
	struct seen seen = { "" };
	struct error err;
	const char *rest;

	assert_int_equal(parse(words, &seen, &rest, &err), 0);
	assert_string_equal(rest, "-");
}

static void bad_options_are_refused(void **state)
{
	char *bad[][3] = { { "--nam", "x", NULL }, { "--name", NULL }, { "--flag=1", NULL },
		{ "-x", NULL }, { "--future=1", NULL }, { "-n", NULL }, { "--=", NULL } };
	struct seen seen = { "" };
	struct error err;
	const char *rest;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(parse(bad[i], &seen, &rest, &err), -1);
		assert_int_equal(err.status, 125);
	}
	assert_string_equal(seen.text, "");
}

static void check_mount(
	const char *text, const char *host, const char *inside, enum box_mount_mode mode)
{
	struct box_mount mount = { 0 };
	struct error err;

	assert_int_equal(value_mount(text, &mount, &err), 0);
	assert_string_equal(mount.host, host);
	assert_string_equal(mount.inside, inside);
	assert_int_equal(mount.mode, mode);
	free((char *)mount.host);
	free((char *)mount.inside);
}

static void mounts_have_defaults(void **state)
{
	check_mount("/usr", "/usr", "/usr", BOX_MOUNT_RW);
	check_mount("/usr:ro", "/usr", "/usr", BOX_MOUNT_RO);
	check_mount("/usr:/x", "/usr", "/x", BOX_MOUNT_RW);
	check_mount("/usr/:/x/y//:copy", "/usr", "/x/y", BOX_MOUNT_COPY);
	check_mount("/usr/../usr:/x:rw", "/usr", "/x", BOX_MOUNT_RW);
}

static void bad_mounts_are_refused(void **state)
{
	static const char *const bad[] = { "", ":/x", "/usr:x", "/usr:/x:wo", "/no/such", "/usr:/",
		"/usr:" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct box_mount mount = { 0 };
		struct error err;

		assert_int_equal(value_mount(bad[i], &mount, &err), -1);
		free((char *)mount.host);
		free((char *)mount.inside);
	}
}

static void users_are_numbers(void **state)
{
	struct error err;
	uid_t uid;
	gid_t gid;

	assert_int_equal(value_user("12:34", &uid, &gid, &err), 0);
	assert_int_equal(uid, 12);
	assert_int_equal(gid, 34);
	assert_int_equal(value_user("4294967294", &uid, &gid, &err), 0);
	assert_int_equal(gid, 0);
	assert_int_equal(value_user("4294967295", &uid, &gid, &err), -1);
	assert_int_equal(value_user("-1", &uid, &gid, &err), -1);
	assert_int_equal(value_user("1:", &uid, &gid, &err), -1);
	assert_int_equal(value_user(":1", &uid, &gid, &err), -1);
	assert_int_equal(value_user("1:2:3", &uid, &gid, &err), -1);
	assert_int_equal(value_user("99999999999999999999", &uid, &gid, &err), -1);
}

static void sources_are_named_one_by_one(void **state)
{
	struct error err;
	uint32_t relax = 0;

	assert_int_equal(value_relax("time,net", &relax, &err), 0);
	assert_int_equal(relax, RELAX_TIME | RELAX_NET);
	assert_int_equal(value_relax("env proc", &relax, &err), 0);
	assert_int_equal(relax, RELAX_TIME | RELAX_NET | RELAX_ENV | RELAX_PROC);
	assert_int_equal(value_relax("all", &relax, &err), 0);
	assert_int_equal(relax, RELAX_ALL);
	assert_int_equal(value_relax("timer", &relax, &err), -1);
}

static void seconds_are_finite(void **state)
{
	struct error err;
	double seconds;

	assert_int_equal(value_seconds("0.25", &seconds, &err), 0);
	assert_true(seconds == 0.25);
	assert_int_equal(value_seconds("", &seconds, &err), -1);
	assert_int_equal(value_seconds("1s", &seconds, &err), -1);
	assert_int_equal(value_seconds("inf", &seconds, &err), -1);
	assert_int_equal(value_seconds("-0.5", &seconds, &err), -1);
}

static void environment_replaces_by_name(void **state)
{
	char *image[] = { "TZ=EST", "PATH=/image", "IMAGE=1", NULL };
	char *assignments[] = { "TZ=CET", "TZX=1", "NEW=a=b" };
	char **list;
	char joined[512] = "";

	unsetenv("SOURCE_DATE_EPOCH");
	list = environment_make(0, false, image, assignments, 3);
	assert_non_null(list);
	for (char **item = list; *item; item++)
		strcat(strcat(joined, *item), " ");
	assert_string_equal(joined, "PATH=/image HOME=/root USER=root LOGNAME=root SHELL=/bin/sh "
				    "LANG=C.UTF-8 TZ=CET IMAGE=1 TZX=1 NEW=a=b ");
	environment_release(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_come_in_every_usual_form),
		cmocka_unit_test(two_dashes_end_the_options),
		cmocka_unit_test(a_single_dash_is_no_option),
		cmocka_unit_test(bad_options_are_refused),
		cmocka_unit_test(mounts_have_defaults),
		cmocka_unit_test(bad_mounts_are_refused),
		cmocka_unit_test(users_are_numbers),
		cmocka_unit_test(sources_are_named_one_by_one),
		cmocka_unit_test(seconds_are_finite),
		cmocka_unit_test(environment_replaces_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
