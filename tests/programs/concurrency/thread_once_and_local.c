/* Who does what is done once, and in which order threads' own data is taken down. */
#include "race.h"

#define THREADS 6

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t keys[2];
static __thread long own;
static long first = -1;
static char order[THREADS * 2 + 1];
static int ended;

static void initialise(void)
{
	first = own;
	sched_yield();
}

static void destroy(void *value)
{
	order[__atomic_fetch_add(&ended, 1, __ATOMIC_SEQ_CST)] = *(char *)value;
	sched_yield();
}

static void *work(void *number)
{
	static char names[2][THREADS] = { "abcdef", "ABCDEF" };

	own = (long)number;
	pthread_setspecific(keys[0], &names[0][own]);
	pthread_setspecific(keys[1], &names[1][own]);
	for (int i = 0; i < 3; i++)
		sched_yield();
	pthread_once(&once, initialise);
	must(first >= 0);
	return NULL;
}

int main(void)
{
	must(pthread_key_create(&keys[0], destroy) == 0 &&
		pthread_key_create(&keys[1], destroy) == 0);
	in_threads(THREADS, work);
	printf("first: %ld\ndestroyed: %s\n", first, order);
	must(ended == THREADS * 2);
	return 0;
}
