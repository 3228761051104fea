/* Threads that join each other in a circle.
 * Does not run natively: it hangs.
 * status: 125
 * says: stet: deadlock: .*futex */
#include "race.h"

#define THREADS 3

static pthread_t threads[THREADS];
static pthread_barrier_t barrier;

static void *join_next(void *number)
{
	pthread_barrier_wait(&barrier);
	printf("%ld joins\n", (long)number);
	pthread_join(threads[((long)number + 1) % THREADS], NULL);
	return NULL;
}

int main(void)
{
	must(pthread_barrier_init(&barrier, NULL, THREADS + 1) == 0);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, join_next, (void *)i) == 0);
	pthread_barrier_wait(&barrier);
	pthread_exit(NULL);
}
