/* Two threads, each with a lock that the other one wants.
 * Does not run natively: it hangs.
 * status: 125
 * says: stet: deadlock: .*futex */
#include "race.h"

static pthread_mutex_t locks[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static pthread_barrier_t barrier;

static void *cross(void *number)
{
	long first = (long)number;

	pthread_mutex_lock(&locks[first]);
	printf("%ld has its first lock\n", first);
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&locks[!first]);
	return NULL;
}

int main(void)
{
	must(pthread_barrier_init(&barrier, NULL, 2) == 0);
	in_threads(2, cross);
	return 0;
}
