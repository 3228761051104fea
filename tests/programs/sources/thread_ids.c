/* Threads have ids of their own, and their process's pid and parent; joined, or detached and waited
 * for by other means. */
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 10

static sem_t over;

static void *show(void *unused)
{
	printf("thread %ld: pid %d, parent %d\n", syscall(SYS_gettid), getpid(), getppid());
	sem_post(&over);
	return unused;
}

int main(void)
{
	pthread_t thread;

	sem_init(&over, 0, 0);
	printf("process %d, main thread %ld\n", getpid(), syscall(SYS_gettid));
	for (int i = 0; i < THREADS; i++) {
		must(pthread_create(&thread, NULL, show, NULL) == 0);
		if (i % 2)
			must(pthread_join(thread, NULL) == 0);
		else
			must(pthread_detach(thread) == 0);
		sem_wait(&over);
	}
	return 0;
}
