/* Threads that one event wakes go on in the order of their births, and not of their places in a
 * table: places of those that have ended come free at any time while a log is written. Between two
 * births here, some of them do. */
#include <poll.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define THREADS	  8
#define CHILDREN  3
#define COMPUTING 3000000u

static int ends[2];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char order[THREADS + 1];
static int count;

static void *waiter(void *argument)
{
	struct pollfd poller = { .fd = ends[0], .events = POLLIN };

	must(poll(&poller, 1, -1) == 1);
	pthread_mutex_lock(&lock);
	order[count++] = (char)('a' + (long)argument);
	pthread_mutex_unlock(&lock);
	return argument;
}

static void have_children(void)
{
	for (int i = 0; i < CHILDREN; i++)
		if (fork() == 0)
			_exit(0);
	for (int i = 0; i < CHILDREN; i++)
		must(wait(NULL) > 0);
}

static void compute(void)
{
	for (volatile unsigned i = 0; i < COMPUTING; i++)
		;
}

int main(void)
{
	pthread_t threads[THREADS];

	must(pipe(ends) == 0);
	for (long i = 0; i < THREADS; i++) {
		if (i % 2 == 0)
			have_children();
		must(pthread_create(&threads[i], NULL, waiter, (void *)i) == 0);
		compute();
	}
	usleep(20000);
	must(write(ends[1], "x", 1) == 1);
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	printf("%s in %d\n", order, getpid());
	return 0;
}
