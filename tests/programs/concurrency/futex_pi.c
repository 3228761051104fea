/* Locks with priority inheritance: who gets them in turn, trylock, and a deadlock that the kernel
 * tells. */
#include "futex.h"

#define THREADS 5
#define ROUNDS	6

static uint32_t word;
static pthread_mutex_t lock;
static char order[2][THREADS * ROUNDS + 1];
static int taken[2], busy;

static void *work(void *number)
{
	uint32_t self = (uint32_t)syscall(SYS_gettid);
	char letter = (char)('a' + (long)number);

	for (int i = 0; i < ROUNDS; i++) {
		if (futex(&word, FUTEX_TRYLOCK_PI_PRIVATE, 0, NULL, NULL, 0)) {
			must(errno == EAGAIN);
			__atomic_add_fetch(&busy, 1, __ATOMIC_SEQ_CST);
			must(futex(&word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0);
		}
		must((word & FUTEX_TID_MASK) == self);
		order[0][taken[0]++] = letter;
		must(futex(&word, FUTEX_LOCK_PI_PRIVATE, 0, NULL, NULL, 0) == -1 &&
			errno == EDEADLK);
		sched_yield();
		must(futex(&word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == 0);
		must(pthread_mutex_lock(&lock) == 0);
		order[1][taken[1]++] = letter;
		sched_yield();
		must(pthread_mutex_unlock(&lock) == 0);
	}
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	must(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) == 0);
	must(pthread_mutex_init(&lock, &attributes) == 0);
	must(futex(&word, FUTEX_UNLOCK_PI_PRIVATE, 0, NULL, NULL, 0) == -1 && errno == EPERM);
	in_threads(THREADS, work);
	printf("%s\n%s\n%d times busy\n", order[0], order[1], busy);
	must(word == 0);
	return 0;
}
