/* For programs that tell how logical time came out. */
#ifndef STET_TESTS_CLOCK_H
#define STET_TESTS_CLOCK_H

#include <time.h>

/* us since the machine's start. */
__attribute__((unused)) static long clock_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* Looks at the clock, which moves it, until it has moved by this much. */
__attribute__((unused)) static void pass_us(long us)
{
	long begin = clock_us();

	while (clock_us() - begin < us)
		;
}

#endif
