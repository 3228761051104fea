/* A process whose threads wait in read ends at once, with its own status, when one of its threads
 * leaves by _exit and when the main thread calls exit. */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 9

static sem_t ready;
static int never[2];

static void *block(void *unused)
{
	char byte;

	printf("thread %ld wants to read\n", syscall(SYS_gettid));
	sem_post(&ready);
	must(read(never[0], &byte, 1) == 1);
	return unused;
}

static void *leave(void *unused)
{
	printf("thread %ld leaves\n", syscall(SYS_gettid));
	_exit(7);
	return unused;
}

static void go(int from_thread)
{
	pthread_t thread;

	must(pipe(never) == 0);
	sem_init(&ready, 0, 0);
	for (int i = 0; i < THREADS; i++) {
		must(pthread_create(&thread, NULL, block, NULL) == 0);
		sem_wait(&ready);
	}
	if (!from_thread)
		exit(8);
	must(pthread_create(&thread, NULL, leave, NULL) == 0);
	pthread_join(thread, NULL);
}

int main(void)
{
	for (int from_thread = 1; from_thread >= 0; from_thread--) {
		pid_t child = fork();
		int status;

		if (child == 0)
			go(from_thread);
		must(waitpid(child, &status, 0) == child && WIFEXITED(status));
		printf("child %d: status %d\n", child, WEXITSTATUS(status));
	}
	return 0;
}
