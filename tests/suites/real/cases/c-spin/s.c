#include <pthread.h>
#include <stdio.h>
#include <stdatomic.h>
#include <time.h>
static atomic_int turn;
static long spins[3];
static void *w(void *p)
{
	long id = (long)p;
	for (int r = 0; r < 20; r++) {
		while (atomic_load(&turn) != id)
			spins[id]++;
		atomic_store(&turn, (id + 1) % 3);
	}
	return 0;
}
int main(void)
{
	pthread_t t[3];
	struct timespec a, b;
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (long i = 0; i < 3; i++)
		pthread_create(t + i, 0, w, (void *)i);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("spins %ld %ld %ld ns %ld\n", spins[0], spins[1], spins[2],
		(b.tv_sec - a.tv_sec) * 1000000000L + b.tv_nsec - a.tv_nsec);
	return 0;
}
