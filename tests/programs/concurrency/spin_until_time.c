/* Threads that spin until the clock shows a time, and count in shared variables meanwhile. */
#include <time.h>

#include "race.h"

#define THREADS 3

static volatile long looks[THREADS], total;

static long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *spin(void *number)
{
	long end = now() + 2000000;

	while (now() < end) {
		looks[(long)number]++;
		total++;
	}
	return NULL;
}

int main(void)
{
	in_threads(THREADS, spin);
	printf("%ld %ld %ld looks, %ld counted\n", looks[0], looks[1], looks[2], total);
	return 0;
}
