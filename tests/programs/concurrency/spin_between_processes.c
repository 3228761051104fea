/* Processes that hand a turn around in shared memory, spinning; and count there out of turn. */
#include "race.h"

#define PROCESSES 3
#define ROUNDS	  50

static struct shared {
	volatile int turn, at;
	char order[PROCESSES * ROUNDS + 1];
	volatile long unlocked;
} * shared;

static void *work(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		while (shared->turn != (int)(long)number)
			__builtin_ia32_pause();
		shared->order[shared->at++] = (char)('a' + (long)number);
		shared->turn = (int)((long)number + 1) % PROCESSES;
		long value = shared->unlocked;

		compute(50);
		shared->unlocked = value + 1;
	}
	return NULL;
}

int main(void)
{
	shared = shared_memory(sizeof(*shared));
	in_processes(PROCESSES, work);
	printf("%s\n%ld of %d\n", shared->order, shared->unlocked, PROCESSES * ROUNDS);
	return 0;
}
