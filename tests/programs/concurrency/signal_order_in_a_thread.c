/* Several signals to threads that are at work, in falling order of their numbers: in which order,
 * and how many, each of them handles. */
#include <signal.h>

#include "race.h"

#define THREADS 3
#define ROUNDS	10
#define QUEUED	40 /* a real-time signal */

static const int signals[] = { QUEUED, SIGUSR2, SIGUSR1, QUEUED, SIGUSR2, SIGHUP };
static char order[THREADS][ROUNDS * 8 + 1];
static volatile int count[THREADS], over;
static __thread long own;

static void handler(int signal)
{
	order[own][count[own]++] = signal == SIGHUP    ? 'h'
				   : signal == SIGUSR1 ? '1'
				   : signal == SIGUSR2 ? '2'
						       : 'r';
}

static void *work(void *number)
{
	own = (long)number;
	while (!over) {
		compute(50);
		getppid();
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < 6; i++)
		signal(signals[i], handler);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < ROUNDS; i++) {
		usleep(300);
		for (int j = 0; j < 6; j++)
			must(pthread_kill(threads[i % THREADS], signals[j]) == 0);
	}
	usleep(5000);
	over = 1;
	for (int i = 0; i < THREADS; i++) {
		must(pthread_join(threads[i], NULL) == 0);
		printf("thread %d: %s\n", i, order[i]);
		must(count[i] > 0);
	}
	return 0;
}
