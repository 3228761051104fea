/* Ten threads at the same time: their ids count up in the order of creation, and each gives its
 * result to join. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 10

static void *run(void *argument)
{
	long number = (long)argument;

	return (void *)(number * 1000 + syscall(SYS_gettid));
}

int main(void)
{
	pthread_t threads[THREADS];

	printf("process %d makes threads\n", getpid());
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, run, (void *)i) == 0);
	printf("waiting\n");
	for (int i = 0; i < THREADS; i++) {
		void *result;

		must(pthread_join(threads[i], &result) == 0);
		printf("thread %ld had id %ld\n", (long)result / 1000, (long)result % 1000);
	}
	printf("all are over\n");
	return 0;
}
