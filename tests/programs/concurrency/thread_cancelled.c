/* How far threads get before they are cancelled: at a call, while they wait, and anywhere. */
#include "race.h"

static volatile long steps;
static int cleaned;

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *counts(void *how)
{
	pthread_setcanceltype(how ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED, NULL);
	pthread_cleanup_push(clean, NULL);
	for (steps = 0;; steps++) {
		if (how)
			getppid();
		else
			pthread_testcancel(), sched_yield();
	}
	pthread_cleanup_pop(0);
	return NULL;
}

static void *waits(void *unused)
{
	pthread_cleanup_push(clean, NULL);
	for (steps = 0;; steps++)
		usleep(100);
	pthread_cleanup_pop(0);
	return unused;
}

static void cancel(const char *name, void *(*work)(void *), void *how)
{
	pthread_t thread;
	void *result;

	must(pthread_create(&thread, NULL, work, how) == 0);
	for (int i = 0; i < 20; i++) {
		compute(1000);
		usleep(100);
	}
	must(pthread_cancel(thread) == 0);
	must(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
	printf("%s: %ld steps\n", name, steps);
}

int main(void)
{
	cancel("deferred", counts, NULL);
	cancel("asynchronous", counts, &cleaned);
	cancel("waiting", waits, NULL);
	must(cleaned == 3);
	return 0;
}
