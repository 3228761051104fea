/*
 * What the test programs share: each prints every value that it checks, so that its output can be
 * compared with another run's, and fails by itself when a value is not the one that must be.
 */
#ifndef STET_TESTS_CHECK_H
#define STET_TESTS_CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

__attribute__((constructor)) static void check_start(void)
{
	/* Whole lines, at once: nothing is printed twice after fork, nothing is lost at _exit. */
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

__attribute__((unused)) static void expect(const char *what, long got, long wanted)
{
	if (got == wanted) {
		printf("%s: %ld\n", what, got);
		return;
	}
	check_failures++;
	printf("FAILED %s: %ld, expected %ld\n", what, got, wanted);
}

__attribute__((unused)) static void expect_true(const char *what, int holds)
{
	if (!holds)
		check_failures++;
	printf("%s%s: %s\n", holds ? "" : "FAILED ", what, holds ? "yes" : "no");
}

/* The call must have failed with this error. */
__attribute__((unused)) static void expect_errno(const char *what, long result, int wanted)
{
	int error = errno;
	if (result == -1 && error == wanted) {
		printf("%s: %s\n", what, strerror(wanted));
		return;
	}
	check_failures++;
	printf("FAILED %s: %ld (%s), expected %s\n", what, result,
		result == -1 ? strerror(error) : "success", strerror(wanted));
}

/* Ends the program when a step on which everything else stands fails. */
#define must(condition)                                                                            \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			printf("FAILED %s:%d: %s: %s\n", __FILE__, __LINE__, #condition,           \
				strerror(errno));                                                  \
			exit(2);                                                                   \
		}                                                                                  \
	} while (0)

/* For main to return. */
__attribute__((unused)) static int verdict(void)
{
	if (check_failures)
		printf("%d failures\n", check_failures);
	return check_failures ? 1 : 0;
}

#endif
