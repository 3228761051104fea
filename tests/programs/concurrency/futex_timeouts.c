/* Timeouts of futexes: relative and absolute, on both clocks, already past, and invalid; and
 * several threads whose times come in another order than they began. */
#include "futex.h"

#define THREADS 6

static uint32_t word;
static char order[THREADS + 1];
static int over;

static struct timespec from_now(clockid_t clock, long ms)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += (time.tv_nsec + ms * 1000000) / 1000000000;
	time.tv_nsec = (time.tv_nsec + ms * 1000000) % 1000000000;
	return time;
}

static void *time_out(void *number)
{
	struct timespec time = { 0, 1000000 + ((long)number * 3 % THREADS) * 30000 };

	must(futex(&word, FUTEX_WAIT_PRIVATE, 0, &time, NULL, 0) == -1 && errno == ETIMEDOUT);
	order[__atomic_fetch_add(&over, 1, __ATOMIC_SEQ_CST)] = (char)('a' + (long)number);
	return NULL;
}

static long waits(int operation, struct timespec time)
{
	return futex(&word, operation, 0, &time, NULL, FUTEX_BITSET_MATCH_ANY);
}

int main(void)
{
	int absolute = FUTEX_WAIT_BITSET_PRIVATE, real = absolute | FUTEX_CLOCK_REALTIME;
	struct timespec before, after, past = { 0, 1 }, wrong = { 0, 1000000000 };

	clock_gettime(CLOCK_MONOTONIC, &before);
	expect_errno("relative", waits(FUTEX_WAIT, (struct timespec){ 0, 5000000 }), ETIMEDOUT);
	expect_errno("absolute", waits(absolute, from_now(CLOCK_MONOTONIC, 5)), ETIMEDOUT);
	expect_errno("real", waits(real, from_now(CLOCK_REALTIME, 5)), ETIMEDOUT);
	clock_gettime(CLOCK_MONOTONIC, &after);
	long ms =
		(after.tv_sec - before.tv_sec) * 1000 + (after.tv_nsec - before.tv_nsec) / 1000000;

	expect_true("15 ms at least", ms >= 15);
	expect_errno("past", waits(absolute, past), ETIMEDOUT);
	expect_errno("wrong", waits(FUTEX_WAIT, wrong), EINVAL);
	in_threads(THREADS, time_out);
	printf("%s\n", order);
	return verdict();
}
