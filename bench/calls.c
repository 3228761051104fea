/* calls getppid|read|lseek|clock_gettime N: the named system call, N times. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int zero;

static int call_getppid(void)
{
	return getppid() >= 0;
}

static int call_read(void)
{
	char byte;

	return read(zero, &byte, 1) == 1;
}

static int call_lseek(void)
{
	return lseek(zero, 0, SEEK_SET) == 0;
}

static int call_clock_gettime(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_MONOTONIC, &now) == 0;
}

static const struct {
	const char *name;
	int (*call)(void);
} calls[] = {
	{ "getppid", call_getppid },
	{ "read", call_read },
	{ "lseek", call_lseek },
	{ "clock_gettime", call_clock_gettime },
};

int main(int argc, char **argv)
{
	zero = open("/dev/zero", O_RDONLY);
	for (size_t i = 0; argc == 3 && i < sizeof(calls) / sizeof(calls[0]); i++) {
		long count = atol(argv[2]);

		if (strcmp(argv[1], calls[i].name) != 0)
			continue;
		while (count > 0 && calls[i].call())
			count--;
		return count != 0;
	}
	fprintf(stderr, "usage: calls getppid|read|lseek|clock_gettime N\n");
	return 2;
}
