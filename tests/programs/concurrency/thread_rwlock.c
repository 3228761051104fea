/* Readers and writers of one lock: what each reader sees, and who comes after whom. */
#include "race.h"

#define READERS 4
#define WRITERS 2
#define ROUNDS	15

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b, refused;
static int seen[READERS][ROUNDS];

static void *work(void *number)
{
	long who = (long)number;

	for (int i = 0; i < ROUNDS; i++) {
		if (who >= READERS) {
			pthread_rwlock_wrlock(&lock);
			a++;
			sched_yield();
			b++;
		} else if (pthread_rwlock_tryrdlock(&lock) == 0 ||
			   pthread_rwlock_rdlock(&lock) == 0) {
			must(a == b);
			seen[who][i] = a;
		}
		pthread_rwlock_unlock(&lock);
		if (pthread_rwlock_trywrlock(&lock) == 0)
			pthread_rwlock_unlock(&lock);
		else
			__atomic_add_fetch(&refused, 1, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

int main(void)
{
	in_threads(READERS + WRITERS, work);
	for (int i = 0; i < READERS; i++) {
		printf("reader %d:", i);
		for (int j = 0; j < ROUNDS; j++)
			printf(" %d", seen[i][j]);
		printf("\n");
	}
	printf("%d refused\n", refused);
	must(a == WRITERS * ROUNDS);
	return 0;
}
