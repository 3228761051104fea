/* C11's threads: locks, conditions, once, thread-specific storage, and who comes first. */
#include <threads.h>

#include "../check.h"

#define THREADS 5
#define ROUNDS	8

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static thread_local int own;
static char order[THREADS * ROUNDS + 1];
static int taken, next;

static void start(void)
{
	next = THREADS * ROUNDS / 2;
}

static int work(void *number)
{
	call_once(&once, start);
	for (own = 0; own < ROUNDS; own++) {
		mtx_lock(&lock);
		while (taken > next)
			cnd_wait(&changed, &lock);
		order[taken++] = (char)('a' + (long)number);
		next += 2;
		cnd_signal(&changed);
		mtx_unlock(&lock);
		thrd_yield();
	}
	return own;
}

int main(void)
{
	thrd_t threads[THREADS];
	int result;

	must(mtx_init(&lock, mtx_plain) == thrd_success && cnd_init(&changed) == thrd_success);
	for (long i = 0; i < THREADS; i++)
		must(thrd_create(&threads[i], work, (void *)i) == thrd_success);
	for (int i = 0; i < THREADS; i++)
		must(thrd_join(threads[i], &result) == thrd_success && result == ROUNDS);
	printf("%s\n", order);
	return 0;
}
