/*
 * options: --timers instant
 * Timers fire when they are armed: a program that computes until then does not get far, and stops
 * at the same place on every run.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int calls;
static volatile unsigned long counter, seen;

static void handler(int number)
{
	(void)number;
	calls++;
	seen = counter;
}

static void count(const char *what)
{
	while (!calls)
		counter++;
	printf("%s: %lu\n", what, seen);
	counter = 0;
	calls = 0;
}

int main(void)
{
	struct itimerval soon = { { 0, 0 }, { 0, 2000 } };
	struct itimerspec later = { { 0, 0 }, { 0, 2000000 } };
	timer_t timer;

	signal(SIGALRM, handler);
	signal(SIGVTALRM, handler);
	signal(SIGPROF, handler);
	ualarm(2000, 0);
	count("alarm");
	setitimer(ITIMER_REAL, &soon, NULL);
	count("real");
	setitimer(ITIMER_VIRTUAL, &soon, NULL);
	count("virtual");
	setitimer(ITIMER_PROF, &soon, NULL);
	count("profiling");
	timer_create(CLOCK_MONOTONIC, NULL, &timer);
	timer_settime(timer, 0, &later, NULL);
	count("posix");
	return 0;
}
