/* Which thread a barrier tells that it is the one, round by round, and in which order they
 * leave. */
#include "race.h"

#define THREADS 5
#define ROUNDS	12

static pthread_barrier_t barrier;
static char serial[ROUNDS + 1], order[THREADS * ROUNDS + 1];
static int left;

static void *meet(void *number)
{
	char letter = (char)('a' + (long)number);

	for (int i = 0; i < ROUNDS; i++) {
		compute(((long)number * 7 + i) % THREADS * 100);
		if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			serial[i] = letter;
		order[__atomic_fetch_add(&left, 1, __ATOMIC_SEQ_CST)] = letter;
	}
	return NULL;
}

int main(void)
{
	must(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
	in_threads(THREADS, meet);
	printf("%s\n%s\n", serial, order);
	must(strlen(serial) == ROUNDS && left == THREADS * ROUNDS);
	return 0;
}
