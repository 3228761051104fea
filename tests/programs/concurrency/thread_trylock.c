/* Who wins a lock that nobody waits for. */
#include "race.h"

#define THREADS 5
#define ROUNDS	200

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;
static int won[THREADS], spun[THREADS];

static void *try(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (pthread_mutex_trylock(&lock) == 0) {
			won[(long)number]++;
			sched_yield();
			pthread_mutex_unlock(&lock);
		}
		if (pthread_spin_trylock(&spin) == 0) {
			spun[(long)number]++;
			sched_yield();
			pthread_spin_unlock(&spin);
		}
	}
	return NULL;
}

int main(void)
{
	must(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE) == 0);
	in_threads(THREADS, try);
	for (int i = 0; i < THREADS; i++)
		printf("thread %d won %d and %d times\n", i, won[i], spun[i]);
	return 0;
}
