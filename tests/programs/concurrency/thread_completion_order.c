/* The order in which threads that compute about as long get to their ends. */
#include "race.h"

#define THREADS 8

static char order[THREADS + 1];
static int over;

static void *work(void *number)
{
	for (int i = 0; i < 20; i++) {
		compute(2000);
		getppid();
	}
	order[__atomic_fetch_add(&over, 1, __ATOMIC_SEQ_CST)] = (char)('a' + (long)number);
	return NULL;
}

int main(void)
{
	in_threads(THREADS, work);
	printf("%s\n", order);
	must(over == THREADS);
	return 0;
}
