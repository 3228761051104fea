/* Whom a futex wakes, private and shared, one at a time, some and all; by bits; and what a changed
 * value answers. */
#include "futex.h"

#define WAITERS 8

static struct shared {
	uint32_t word, bits;
	int waiting, woken;
	char order[WAITERS + 1];
} * shared;

static int flags;

static void *wait_on(void *number)
{
	uint32_t bit = 1u << ((long)number % 2);

	__atomic_add_fetch(&shared->waiting, 1, __ATOMIC_SEQ_CST);
	if (shared->bits)
		must(futex(&shared->word, FUTEX_WAIT_BITSET | flags, 0, NULL, NULL, bit) == 0);
	else
		must(futex(&shared->word, FUTEX_WAIT | flags, 0, NULL, NULL, 0) == 0);
	shared->order[__atomic_fetch_add(&shared->woken, 1, __ATOMIC_SEQ_CST)] =
		(char)('a' + (long)number);
	return NULL;
}

static void *wake(void)
{
	uint32_t *word = &shared->word;
	int done = 0;

	while (__atomic_load_n(&shared->waiting, __ATOMIC_SEQ_CST) < WAITERS)
		sleep_ms(1);
	sleep_ms(20);
	if (shared->bits) {
		done = (int)futex(word, FUTEX_WAKE_BITSET | flags, 3, NULL, NULL, 2);
		printf("by bit: %d\n", done);
	}
	done += (int)futex(word, FUTEX_WAKE | flags, 1, NULL, NULL, 0);
	done += (int)futex(word, FUTEX_WAKE | flags, 2, NULL, NULL, 0);
	printf("woken: %d\n", done);
	while (done < WAITERS)
		done += (int)futex(word, FUTEX_WAKE | flags, INT32_MAX, NULL, NULL, 0);
	return NULL;
}

static void *work(void *number)
{
	return (long)number == WAITERS ? wake() : wait_on(number);
}

static void go(const char *name, int how, uint32_t bits)
{
	memset(shared, 0, sizeof(*shared));
	shared->bits = bits;
	flags = how;
	if (how)
		in_threads(WAITERS + 1, work);
	else
		in_processes(WAITERS + 1, work);
	printf("%s: %s\n", name, shared->order);
}

int main(void)
{
	shared = shared_memory(sizeof(*shared));
	must(futex(&shared->word, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
	must(futex(&shared->word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
	must(futex((char *)&shared->word + 1, FUTEX_WAKE, 1, NULL, NULL, 0) == -1 &&
		errno == EINVAL);
	go("threads", FUTEX_PRIVATE_FLAG, 0);
	go("threads by bits", FUTEX_PRIVATE_FLAG, 1);
	go("processes", 0, 0);
	go("processes by bits", 0, 1);
	return 0;
}
