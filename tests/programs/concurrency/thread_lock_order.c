/* Which of several threads that want one lock gets it, round by round, and which of several that
 * wait for a condition a single signal wakes, is the same each time. */
#include <pthread.h>
#include <unistd.h>

#include "../check.h"

#define THREADS 5
#define ROUNDS	10

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static char order[THREADS * ROUNDS + 1];
static int taken, tickets;

static void *take_lock(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		order[taken++] = (char)('a' + (long)argument);
		pthread_mutex_unlock(&lock);
	}
	return argument;
}

static void *take_tickets(void *argument)
{
	for (int i = 0; i < ROUNDS; i++) {
		pthread_mutex_lock(&lock);
		while (tickets == 0)
			pthread_cond_wait(&changed, &lock);
		tickets--;
		order[taken++] = (char)('a' + (long)argument);
		pthread_mutex_unlock(&lock);
	}
	return argument;
}

static void go(const char *name, void *(*function)(void *), int give)
{
	pthread_t threads[THREADS];

	taken = 0;
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, function, (void *)i) == 0);
	for (int i = 0; i < give; i++) {
		pthread_mutex_lock(&lock);
		tickets++;
		pthread_cond_signal(&changed);
		pthread_mutex_unlock(&lock);
	}
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	printf("%s in process %d: %s\n", name, getpid(), order);
	must(taken == THREADS * ROUNDS);
}

int main(void)
{
	go("lock", take_lock, 0);
	go("condition", take_tickets, THREADS * ROUNDS);
	return 0;
}
