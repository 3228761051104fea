/* pthread_kill to threads at work, and kill to a process of which any thread may handle it: where
 * it finds them. */
#include <signal.h>

#include "race.h"

#define THREADS 4
#define SIGNALS 16

static volatile long steps[THREADS];
static volatile int handled, over;
static __thread long own = -1;
static struct {
	long who, step;
} at[SIGNALS];

static void handler(int signal)
{
	int i = __atomic_fetch_add(&handled, 1, __ATOMIC_SEQ_CST);

	(void)signal;
	at[i].who = own;
	at[i].step = own >= 0 ? steps[own] : -1;
}

static void *work(void *number)
{
	for (own = (long)number; !over; steps[own]++) {
		compute(100);
		getppid();
	}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	signal(SIGUSR1, handler);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (int i = 0; i < SIGNALS; i++) {
		usleep(200);
		must((i % 4 ? pthread_kill(threads[i % THREADS], SIGUSR1)
			    : kill(getpid(), SIGUSR1)) == 0);
		while (handled <= i)
			usleep(100);
	}
	over = 1;
	for (int i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	for (int i = 0; i < SIGNALS; i++)
		printf("thread %ld at step %ld\n", at[i].who, at[i].step);
	return 0;
}
