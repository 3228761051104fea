/*
 * concurrent WHAT COUNT [N]: what several processes or threads cost each other.
 *
 * compute	N processes, each of which counts COUNT times
 * ping-pong	two processes, a byte to and fro over two pipes COUNT times
 * mutex	one thread, COUNT locks and unlocks
 * contended	two threads, COUNT locks and unlocks each of one mutex
 * condition	two threads, COUNT hand-overs by condition variable
 * sum		N threads, each of which adds up COUNT numbers
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static long turn;

static long compute(void)
{
	unsigned long state = 1;

	for (long i = 0; i < count; i++)
		state = state * 6364136223846793005ul + 1442695040888963407ul;
	return (long)(state >> 33);
}

static int computes(long processes)
{
	int status, worst = 0;

	for (long i = 0; i < processes; i++)
		if (fork() == 0)
			_exit(compute() == 1);
	while (wait(&status) > 0)
		worst |= status;
	return worst != 0;
}

static int ping_pong(void)
{
	int there[2], back[2], status;
	char byte = 0;

	if (pipe(there) || pipe(back))
		return 1;
	if (fork() == 0) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	for (long i = 0; i < count; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			return 1;
	close(there[1]);
	return wait(&status) < 0 || status != 0;
}

static void *locks(void *unused)
{
	(void)unused;
	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		turn++;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

/* Each waits until the number is of its parity, and makes it the other's. */
static void *hands_over(void *own)
{
	for (long i = 0; i < count; i++) {
		pthread_mutex_lock(&mutex);
		while (turn % 2 != (long)own)
			pthread_cond_wait(&turned, &mutex);
		turn++;
		pthread_cond_signal(&turned);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

static void *sums(void *unused)
{
	(void)unused;
	return (void *)compute();
}

static int with_threads(long threads, void *(*body)(void *))
{
	pthread_t ids[64];

	if (threads > 64)
		return 1;
	for (long i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, body, (void *)i))
			return 1;
	for (long i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	long number = argc > 3 ? atol(argv[3]) : 2;

	count = argc > 2 ? atol(argv[2]) : 0;
	if (strcmp(what, "compute") == 0)
		return computes(number);
	if (strcmp(what, "ping-pong") == 0)
		return ping_pong();
	if (strcmp(what, "mutex") == 0)
		return locks(NULL) != NULL;
	if (strcmp(what, "contended") == 0)
		return with_threads(2, locks);
	if (strcmp(what, "condition") == 0)
		return with_threads(2, hands_over);
	if (strcmp(what, "sum") == 0)
		return with_threads(number, sums);
	fprintf(stderr, "usage: concurrent WHAT COUNT [N]\n");
	return 2;
}
