/* Counting without a lock and without any call: how many updates are lost. */
#include "race.h"

#define THREADS 4
#define ROUNDS	300000

static volatile long counter;

static void *count(void *unused)
{
	for (int i = 0; i < ROUNDS; i++)
		counter++;
	return unused;
}

int main(void)
{
	in_threads(THREADS, count);
	printf("%ld of %d\n", counter, THREADS * ROUNDS);
	must(counter > 1 && counter <= THREADS * ROUNDS);
	return 0;
}
