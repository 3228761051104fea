/* Which causes are recognised, and which are not claimed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "diff/cause.h"

static const struct {
	const char *a, *b, *cause;
} cases[] = {
	{ "Built on Jan  5 2024", "Built on Feb 10 2024", CAUSE_TIME },
	{ "at 10:11:12", "at 10:11:13", CAUSE_TIME },
	{ "2024-01-05T10:00:00Z", "2024-01-06T10:00:00Z", CAUSE_TIME },
	{ "2024-01-05 10:00:00 +0200", "2024-01-05 08:00:00 +0000", CAUSE_TIME },
	{ "Fri, 05 Jan 2024 10:00:00 +0000", "Sat, 06 Jan 2024 10:00:00 +0000", CAUSE_TIME },
	{ "Fri Jan  5 10:00:00 UTC 2024", "Sat Jan  6 10:00:00 CET 2024", CAUSE_TIME },
	{ "Fri Jan  5 10:00:00 2024", "Sat Jan 16 10:00:00 2024", CAUSE_TIME },
	{ "stamp=1700000000", "stamp=1700086400", CAUSE_TIME },
	{ "stamp=1700000000123", "stamp=1700086400456", CAUSE_TIME },
	{ "v20240105", "v20240106", NULL },
	{ "20240105 build", "20240106 build", CAUSE_TIME },
	{ "Copyright 2023 X", "Copyright 2024 X", CAUSE_TIME },
	{ "/home/a/src/x.c:3", "/tmp/build/src/x.c:3", CAUSE_PATH },
	{ "-I/build/one/include -O2", "-I/build/second/include -O2", CAUSE_PATH },
	{ "/tmp/tmp.aB3dE6/x", "/tmp/tmp.Zz9yX8/x", CAUSE_RANDOM },
	{ "/tmp/ccA1b2C3.o", "/tmp/ccX9y8Z7.o", CAUSE_RANDOM },
	{ "id 123e4567-e89b-12d3-a456-426614174000", "id 223e4567-e89b-12d3-a456-426614174001",
		CAUSE_RANDOM },
	{ "object at 0x7f12ab", "object at 0x55dead", CAUSE_RANDOM },
	{ "d41d8cd98f00b204e9800998ecf8427e  x", "0cc175b9c0f1b6a831c399e269772661  x",
		CAUSE_HASH },
	{ "user alice", "user bob", CAUSE_OWNER },
	{ "by alice@build", "by bob@build", CAUSE_OWNER },
	{ "by root@one", "by root@two", CAUSE_HOST },
	{ "hostname: one", "hostname: two", CAUSE_HOST },
	{ "pid 123", "pid 4567", CAUSE_PID },
	{ "daemon[123]: x", "daemon[99]: x", CAUSE_PID },
	{ "uid=1000", "uid=0", CAUSE_OWNER },
	{ "-rw-r--r-- x", "-rw-rw-r-- x", CAUSE_MODE },
	{ "4 CPUs", "16 CPUs", CAUSE_CPUS },
	{ "Linux 5.10.0-21-amd64", "Linux 6.1.0-9-amd64", CAUSE_KERNEL },
	{ "gcc 12.2.0", "gcc 13.1.0", CAUSE_VERSION },
	{ "pi is 3.14", "pi is 3,14", CAUSE_LOCALE },
	{ "{'a', 'b', 'c'}", "{'c', 'a', 'b'}", CAUSE_ORDER },
	{ "foo", "bar", NULL },
	{ "x = 17;", "x = 18;", NULL },
	{ "", "added", NULL },
	{ "the colour", "the color", NULL },
	{ "<b>one</b>", "<b>two</b>", NULL },
};

static const char *name(const char *cause)
{
	return cause ? cause : "none";
}

static void causes_are_recognised(void **state)
{
	unsigned failed = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *a = cases[i].a, *b = cases[i].b;
		const char *cause = cause_of_text(a, strlen(a), b, strlen(b));

		if (strcmp(name(cause), name(cases[i].cause)) == 0)
			continue;
		printf("%s | %s: %s, expected %s\n", a, b, name(cause), name(cases[i].cause));
		failed++;
	}
	assert_int_equal(failed, 0);
}

/* At each end of each case, so that nothing is read beyond. */
static void texts_that_are_cut_are_no_trouble(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t cut = 0; cut < strlen(cases[i].a); cut++) {
			char *a = strndup(cases[i].a, cut);

			cause_of_text(a, cut, cases[i].b, strlen(cases[i].b));
			cause_of_text(cases[i].a + cut, strlen(cases[i].a + cut), a, cut);
			free(a);
		}
}

static const char *cause_of_bytes(const char *a, const char *b, uint64_t size, uint64_t at)
{
	struct blob one = { .data = (const unsigned char *)a, .size = size };
	struct blob other = { .data = (const unsigned char *)b, .size = size };

	return cause_of_number(&one, at, &other, at);
}

static void times_of_eight_bytes_are_recognised(void **state)
{
	(void)state;
	assert_string_equal(
		name(cause_of_bytes("\1\2\3\x65\0\0\0\0", "\2\2\3\x65\0\0\0\0", 8, 0)), CAUSE_TIME);
	assert_string_equal(
		name(cause_of_bytes("\0\0\0\0\x65\3\2\1", "\0\0\0\0\x65\3\2\2", 8, 7)), CAUSE_TIME);
	assert_null(cause_of_bytes("\1\2\3\x65\1\0\0\0", "\2\2\3\x65\1\0\0\0", 8, 0));
	assert_null(cause_of_bytes("\1\2\3\x65", "\2\2\3\x65", 4, 0));
	/* A size of eight bytes, little-endian, behind another number. */
	assert_null(
		cause_of_bytes("\0\0\0\0\x5d\0\0\0\0\0\0\0", "\0\0\0\0\x77\0\0\0\0\0\0\0", 12, 4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(causes_are_recognised),
		cmocka_unit_test(texts_that_are_cut_are_no_trouble),
		cmocka_unit_test(times_of_eight_bytes_are_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
