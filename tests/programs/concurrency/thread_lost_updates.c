/* Threads that count in one variable without a lock lose updates; how many is the same each
 * time. */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 4
#define ROUNDS	20000

static volatile long counter;

static void *count(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		long value = counter;

		if (i % 100 == 0)
			sched_yield();
		counter = value + 1;
	}
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, count, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	printf("process %d: %ld of %d\n", getpid(), counter, THREADS * ROUNDS);
	return 0;
}
