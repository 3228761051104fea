/* Two threads spin for what a third one does after it has slept: time passes although nobody but
 * those two could run. */
#include <pthread.h>
#include <time.h>

#include "../check.h"

static volatile int flags[2];
static volatile long looks;

static void *wait_quietly(void *unused)
{
	while (!flags[0])
		;
	return unused;
}

static void *wait_and_count(void *unused)
{
	while (!flags[1])
		looks++;
	return unused;
}

static void *sleep_first(void *unused)
{
	struct timespec time = { 3, 0 };

	nanosleep(&time, NULL);
	flags[0] = flags[1] = 1;
	return unused;
}

int main(void)
{
	static void *(*const works[])(
		void *) = { wait_quietly, wait_quietly, wait_and_count, sleep_first };
	pthread_t threads[4];
	struct timespec time;

	for (int i = 0; i < 4; i++)
		must(pthread_create(&threads[i], NULL, works[i], NULL) == 0);
	for (int i = 0; i < 4; i++)
		must(pthread_join(threads[i], NULL) == 0);
	clock_gettime(CLOCK_MONOTONIC, &time);
	printf("%ld looks, at %ld.%09ld\n", looks, time.tv_sec, time.tv_nsec);
	return 0;
}
