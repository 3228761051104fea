/* setitimer's three timers in logical time, and what getitimer says of them. */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

static volatile int calls;

static void handler(int number)
{
	(void)number;
	calls++;
}

static void check(const char *name, int which, int number)
{
	struct itimerval every = { { 0, 10000 }, { 0, 20000 } }, never = { { 0, 0 }, { 0, 0 } },
			 now;
	struct timespec start, end;

	calls = 0;
	signal(number, handler);
	clock_gettime(CLOCK_MONOTONIC, &start);
	setitimer(which, &every, NULL);
	getitimer(which, &now);
	while (calls < 3)
		clock_gettime(CLOCK_MONOTONIC, &end);
	setitimer(which, &never, &every);
	printf("%s: left %ld us, interval %ld us; third signal after %ld us, then %ld us\n", name,
		now.it_value.tv_usec, now.it_interval.tv_usec,
		(end.tv_sec - start.tv_sec) * 1000000 + (end.tv_nsec - start.tv_nsec) / 1000,
		every.it_value.tv_usec);
}

int main(void)
{
	check("real", ITIMER_REAL, SIGALRM);
	check("virtual", ITIMER_VIRTUAL, SIGVTALRM);
	check("profiling", ITIMER_PROF, SIGPROF);
	return 0;
}
