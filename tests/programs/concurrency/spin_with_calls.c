/* Loops that wait for another thread and make calls meanwhile: sched_yield, clock_gettime, a sleep
 * of nothing, getppid. How often each goes round. */
#include <sched.h>
#include <time.h>

#include "race.h"

#define ROUNDS 10

static volatile int turn;
static long looks[4];

static void look(int how)
{
	struct timespec time = { 0, 0 };

	looks[how]++;
	if (how == 0)
		sched_yield();
	else if (how == 1)
		clock_gettime(CLOCK_MONOTONIC, &time);
	else if (how == 2)
		nanosleep(&time, NULL);
	else
		getppid();
}

static void *play(void *number)
{
	for (int i = 0; i < ROUNDS * 4; i++) {
		while (turn != (int)(long)number)
			look(i / ROUNDS);
		compute(1000);
		turn = !turn;
	}
	return NULL;
}

int main(void)
{
	in_threads(2, play);
	printf("%ld yields, %ld clocks, %ld sleeps, %ld calls\n", looks[0], looks[1], looks[2],
		looks[3]);
	return 0;
}
