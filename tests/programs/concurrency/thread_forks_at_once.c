/* Threads that fork, and make threads, at the same time: pids and thread ids fall to them in the
 * same order each time. */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 6

static pid_t children[THREADS], grandthreads[THREADS];

static void *tell(void *id)
{
	*(pid_t *)id = (pid_t)syscall(SYS_gettid);
	return NULL;
}

static void *make(void *argument)
{
	long number = (long)argument;
	pthread_t thread;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	children[number] = child;
	must(pthread_create(&thread, NULL, tell, &grandthreads[number]) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(waitpid(child, NULL, 0) == child);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, make, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++) {
		must(pthread_join(threads[i], NULL) == 0);
		printf("thread %d: child %d, thread %d\n", i, children[i], grandthreads[i]);
	}
	return 0;
}
