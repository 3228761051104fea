/* Whom a semaphore lets through, and how often it turns somebody away. */
#include <semaphore.h>

#include "race.h"

#define THREADS 6
#define ROUNDS	10

static sem_t places;
static char order[THREADS * ROUNDS + 1];
static int entered, away[THREADS];

static void *enter(void *number)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (sem_trywait(&places)) {
			must(errno == EAGAIN);
			away[(long)number]++;
			while (sem_wait(&places))
				;
		}
		order[__atomic_fetch_add(&entered, 1, __ATOMIC_SEQ_CST)] =
			(char)('a' + (long)number);
		sched_yield();
		must(sem_post(&places) == 0);
	}
	return NULL;
}

int main(void)
{
	must(sem_init(&places, 0, 2) == 0);
	in_threads(THREADS, enter);
	printf("%s\nturned away:", order);
	for (int i = 0; i < THREADS; i++)
		printf(" %d", away[i]);
	printf("\n");
	must(entered == THREADS * ROUNDS);
	return 0;
}
