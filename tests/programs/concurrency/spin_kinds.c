/* Loops of many kinds that wait for another thread, with all signals blocked: a flag, with a pause
 * and without, test-and-set, compare-and-swap, pthread_spin_lock, a ticket, rare looks. Who is
 * next, and at what time. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "../check.h"

#define THREADS 3
#define ROUNDS	4
#define KINDS	7

static atomic_int turn, swapped, next_ticket, now_serving;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_spinlock_t lock;
static char order[KINDS][THREADS * ROUNDS + 1];
static int at[KINDS];

static void wait_turn(int id, int looks)
{
	while (atomic_load(&turn) != id)
		for (volatile int i = 0; i < looks; i++)
			__builtin_ia32_pause();
}

static void enter(int kind, int id)
{
	int expected = 0, ticket;

	if (kind <= 2) {
		wait_turn(id, kind == 0 ? 0 : kind == 1 ? 1 : 50);
	} else if (kind == 3) {
		while (atomic_flag_test_and_set(&flag))
			;
	} else if (kind == 4) {
		while (!atomic_compare_exchange_weak(&swapped, &expected, 1))
			expected = 0;
	} else if (kind == 5) {
		pthread_spin_lock(&lock);
	} else {
		ticket = atomic_fetch_add(&next_ticket, 1);
		while (atomic_load(&now_serving) != ticket)
			__builtin_ia32_pause();
	}
}

static void leave(int kind, int id)
{
	if (kind <= 2)
		atomic_store(&turn, (id + 1) % THREADS);
	else if (kind == 3)
		atomic_flag_clear(&flag);
	else if (kind == 4)
		atomic_store(&swapped, 0);
	else if (kind == 5)
		pthread_spin_unlock(&lock);
	else
		atomic_fetch_add(&now_serving, 1);
}

static void *work(void *number)
{
	struct timespec time;
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int kind = 0; kind < KINDS; kind++)
		for (int i = 0; i < ROUNDS; i++) {
			enter(kind, (int)(long)number);
			order[kind][at[kind]++] = (char)('a' + (long)number);
			clock_gettime(CLOCK_MONOTONIC, &time); /* others find it taken */
			nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
			leave(kind, (int)(long)number);
		}
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	struct timespec time;

	pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
	for (long i = 0; i < THREADS; i++)
		must(pthread_create(&threads[i], NULL, work, (void *)i) == 0);
	for (long i = 0; i < THREADS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	for (int kind = 0; kind < KINDS; kind++)
		printf("%s\n", order[kind]);
	clock_gettime(CLOCK_MONOTONIC, &time);
	printf("%ld.%09ld\n", time.tv_sec, time.tv_nsec);
	return 0;
}
