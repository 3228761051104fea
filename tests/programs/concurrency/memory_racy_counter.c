/* Processes that count in shared memory, without a lock: how many updates are lost. */
#include <sched.h>

#include "race.h"

#define PROCESSES 4
#define ROUNDS	  20000

static volatile long *counter;

static void *count(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		long value = *counter;

		if (i % 500 == 0)
			sched_yield();
		*counter = value + 1;
	}
	return unused;
}

int main(void)
{
	counter = shared_memory(sizeof(*counter));
	in_processes(PROCESSES, count);
	printf("%ld of %d\n", *counter, PROCESSES * ROUNDS);
	return 0;
}
