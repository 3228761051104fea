/* Each thread has a stream of its own: what it gets does not depend on how threads interleave. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 8

static uint64_t first[THREADS], last[THREADS];

static void *take(void *argument)
{
	long i = (long)argument;

	syscall(SYS_getrandom, &first[i], sizeof(first[i]), 0);
	for (int n = 0; n < 1000; n++)
		syscall(SYS_getrandom, &last[i], sizeof(last[i]), 0);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, take, (void *)i);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		printf("%d %016lx %016lx\n", i, first[i], last[i]);
	}
	return 0;
}
