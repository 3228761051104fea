/* A test-and-set lock, with and without pause in its loop: who gets it. Its holder makes calls, so
 * that others find it taken. */
#include <sched.h>

#include "race.h"

#define THREADS 4
#define ROUNDS	10

static int locks[2];
static char order[2][THREADS * ROUNDS + 1];
static int taken[2];

static void take(int which)
{
	while (__atomic_exchange_n(&locks[which], 1, __ATOMIC_ACQUIRE))
		if (which)
			__builtin_ia32_pause();
}

static void *work(void *number)
{
	for (int which = 0; which < 2; which++)
		for (int i = 0; i < ROUNDS; i++) {
			take(which);
			order[which][taken[which]++] = (char)('a' + (long)number);
			sched_yield();
			__atomic_store_n(&locks[which], 0, __ATOMIC_RELEASE);
			getppid();
		}
	return NULL;
}

int main(void)
{
	in_threads(THREADS, work);
	printf("%s\n%s\n", order[0], order[1]);
	must(taken[0] == THREADS * ROUNDS && taken[1] == taken[0]);
	return 0;
}
