/* pthread_cancel reaches threads that block in system calls and runs their cleanup handlers. */
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static int ends[2];
static int cleaned;
static sem_t started;

static void clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static void *blocked_in_read(void *unused)
{
	char byte;
	pthread_cleanup_push(clean, NULL);
	sem_post(&started);
	must(read(ends[0], &byte, 1) == 1);
	pthread_cleanup_pop(0);
	return unused;
}

static void *blocked_in_pause(void *unused)
{
	pthread_cleanup_push(clean, NULL);
	sem_post(&started);
	pause();
	pthread_cleanup_pop(0);
	return unused;
}

static void *busy(void *unused)
{
	pthread_cleanup_push(clean, NULL);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	sem_post(&started);
	for (volatile int i = 0;; i++)
		;
	pthread_cleanup_pop(0);
	return unused;
}

static void *unwilling(void *unused)
{
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	sem_post(&started);
	usleep(20000);
	(void)unused;
	return (void *)42;
}

static void cancel(const char *what, void *(*life)(void *), void *wanted)
{
	pthread_t thread;
	void *result;
	must(pthread_create(&thread, NULL, life, NULL) == 0);
	sem_wait(&started);
	usleep(1000);
	must(pthread_cancel(thread) == 0);
	must(pthread_join(thread, &result) == 0);
	expect_true(what, result == wanted);
}

int main(void)
{
	must(pipe(ends) == 0 && sem_init(&started, 0, 0) == 0);
	for (int i = 0; i < 50; i++) {
		cancel("in read", blocked_in_read, PTHREAD_CANCELED);
		cancel("in pause", blocked_in_pause, PTHREAD_CANCELED);
		cancel("computing", busy, PTHREAD_CANCELED);
	}
	cancel("disabled", unwilling, (void *)42);
	expect("cleanup handlers", cleaned, 150);
	return verdict();
}
