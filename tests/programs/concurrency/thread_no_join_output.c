/* How far threads get that nobody joins, before the main thread ends the process, is the same each
 * time. */
#include <pthread.h>
#include <unistd.h>

#include "../check.h"

static void *chatter(void *argument)
{
	for (int i = 0; i < 1000; i++)
		printf("thread %ld of %d: %d\n", (long)argument, getpid(), i);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	for (long i = 0; i < 2; i++)
		must(pthread_create(&thread, NULL, chatter, (void *)i) == 0);
	printf("process %d: leaving\n", getpid());
	for (int i = 0; i < 20; i++)
		printf("process: %d\n", i);
	_exit(0);
}
