/* Waiters that are moved from one futex to another, and wake_op, which changes one word and may
 * wake on two: who goes on when. */
#include "futex.h"

#define WAITERS 8

static uint32_t words[2];
static char order[WAITERS + 2];
static int waiting, woken;

static void *wait_on(void *number)
{
	__atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
	must(futex(&words[0], FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0) == 0);
	order[__atomic_fetch_add(&woken, 1, __ATOMIC_SEQ_CST)] = (char)('a' + (long)number);
	return NULL;
}

static long move(int operation, uint32_t wake, long requeue, uint32_t third)
{
	return futex(&words[0], operation, wake, (void *)requeue, &words[1], third);
}

int main(void)
{
	int set_five = FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_EQ, 0);
	int again = FUTEX_OP(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_GT, 100);
	pthread_t threads[WAITERS];

	for (long i = 0; i < WAITERS; i++)
		must(pthread_create(&threads[i], NULL, wait_on, (void *)i) == 0);
	while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) < WAITERS)
		sleep_ms(1);
	sleep_ms(20);
	must(move(FUTEX_CMP_REQUEUE_PRIVATE, 1, 3, 1) == -1 && errno == EAGAIN);
	expect("requeue", move(FUTEX_REQUEUE_PRIVATE, 1, 2, 0), 3);
	sleep_ms(20);
	expect("cmp_requeue", move(FUTEX_CMP_REQUEUE_PRIVATE, 1, 2, 0), 3);
	sleep_ms(20);
	expect("wake_op", move(FUTEX_WAKE_OP_PRIVATE, 1, 2, (uint32_t)set_five), 3);
	expect("word", words[1], 5);
	sleep_ms(20);
	expect("wake_op again", move(FUTEX_WAKE_OP_PRIVATE, 9, 9, (uint32_t)again), 1);
	expect("word", words[1], 10);
	sleep_ms(20);
	printf("so far: %d\n", woken);
	expect("the rest", futex(&words[1], FUTEX_WAKE_PRIVATE, 9, NULL, NULL, 0), 2);
	for (int i = 0; i < WAITERS; i++)
		must(pthread_join(threads[i], NULL) == 0);
	printf("%s\n", order);
	return verdict();
}
