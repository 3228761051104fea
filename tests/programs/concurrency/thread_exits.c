/* Threads that end the process at the same time: whose status it is; and what is left when the main
 * thread ends before others. */
#include "race.h"

static void *leave(void *number)
{
	compute(1000);
	_exit(10 + (int)(long)number);
}

static void *stay(void *number)
{
	for (int i = 0; i < 5; i++)
		printf("thread %ld is still here\n", (long)number);
	return NULL;
}

static int status_of(void *(*work)(void *))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		pthread_t thread;

		for (long i = 0; i < 4; i++)
			must(pthread_create(&thread, NULL, work, (void *)i) == 0);
		pthread_exit(NULL);
	}
	must(waitpid(child, &status, 0) == child && WIFEXITED(status));
	return WEXITSTATUS(status);
}

int main(void)
{
	for (int i = 0; i < 10; i++)
		printf("status %d\n", status_of(leave));
	must(status_of(stay) == 0);
	return 0;
}
