/*
 * options: --time stop
 * The clock stands: it shows the epoch before and after sleeping, and timers still fire.
 */
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

static volatile int calls;

static void handler(int number)
{
	(void)number;
	calls++;
}

int main(void)
{
	struct timespec t[2];

	signal(SIGALRM, handler);
	clock_gettime(CLOCK_REALTIME, &t[0]);
	nanosleep(&(struct timespec){ 0, 3000000 }, NULL);
	clock_gettime(CLOCK_REALTIME, &t[1]);
	ualarm(1000, 0);
	pause();
	for (int i = 0; i < 2; i++)
		printf("%ld.%09ld\n", (long)t[i].tv_sec, t[i].tv_nsec);
	printf("alarms %d, tsc %llu\n", calls, (unsigned long long)__rdtsc());
	return 0;
}
