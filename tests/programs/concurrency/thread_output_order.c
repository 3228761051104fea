/* Ten threads that print as they run, unordered by anything: the order of their lines is the same
 * each time. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 10

static void *show(void *unused)
{
	for (int i = 0; i < 3; i++)
		printf("thread %ld of %d: line %d\n", syscall(SYS_gettid), getpid(), i);
	return unused;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++) {
		printf("creating a thread\n");
		must(pthread_create(&threads[i], NULL, show, NULL) == 0);
	}
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	return 0;
}
