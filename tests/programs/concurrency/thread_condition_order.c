/* Which waiters single signals wake, and in which order those of a broadcast go on. */
#include "race.h"

#define THREADS 6

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, permits, over;
static char order[THREADS + 1];

static void *wait_for_permit(void *number)
{
	pthread_mutex_lock(&lock);
	waiting++;
	while (permits == 0)
		pthread_cond_wait(&changed, &lock);
	permits--;
	order[over++] = (char)('a' + (long)number);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *give(void *one_by_one)
{
	while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) < THREADS)
		usleep(100);
	for (int i = 0; i < (one_by_one ? THREADS : 1); i++) {
		pthread_mutex_lock(&lock);
		permits += one_by_one ? 1 : THREADS;
		one_by_one ? pthread_cond_signal(&changed) : pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
		compute(10000);
	}
	return NULL;
}

static void go(const char *name, void *one_by_one)
{
	pthread_t giver;

	waiting = over = permits = 0;
	must(pthread_create(&giver, NULL, give, one_by_one) == 0);
	in_threads(THREADS, wait_for_permit);
	must(pthread_join(giver, NULL) == 0);
	printf("%s: %s\n", name, order);
}

int main(void)
{
	go("signals", order);
	go("broadcast", NULL);
	return 0;
}
