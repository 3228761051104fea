/* while (!flag); with nothing else in the loop, in threads that were created before and after. */
#include "race.h"

#define THREADS 4

static volatile int flags[THREADS + 1];
static char order[THREADS * 2 + 1];
static volatile int at;

static void *pass_on(void *number)
{
	long who = (long)number;

	order[__atomic_fetch_add(&at, 1, __ATOMIC_SEQ_CST)] = (char)('a' + who);
	while (!flags[who])
		;
	order[__atomic_fetch_add(&at, 1, __ATOMIC_SEQ_CST)] = (char)('A' + who);
	flags[who + 1] = 1;
	return NULL;
}

static void *start(void *unused)
{
	compute(100000);
	flags[0] = 1;
	return unused;
}

int main(void)
{
	pthread_t thread;

	must(pthread_create(&thread, NULL, start, NULL) == 0);
	in_threads(THREADS, pass_on);
	while (!flags[THREADS])
		;
	must(pthread_join(thread, NULL) == 0);
	printf("%s\n", order);
	return 0;
}
