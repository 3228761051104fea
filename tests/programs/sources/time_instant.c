/*
 * options: --timers instant
 * Timers fire when they are armed: a program that computes until then does not get far, and stops
 * at the same place on every run. Those with a period fire again when the handler returns, so that a
 * program can count ticks; who waits is woken in time all the same.
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

static void count_to(int ticks, const char *what)
{
	while (calls < ticks)
		counter++;
	printf("%s: %lu\n", what, seen);
	counter = 0;
	calls = 0;
}

static void count(const char *what)
{
	count_to(1, what);
}

static void wait_for_alarm(void)
{
	const struct sigaction action = { .sa_handler = handler };
	struct timespec from, to;
	int pipes[2];
	char byte;
	long got;

	if (pipe(pipes))
		return;
	sigaction(SIGALRM, &action, NULL);
	clock_gettime(CLOCK_MONOTONIC, &from);
	ualarm(4000, 0);
	got = read(pipes[0], &byte, 1);
	clock_gettime(CLOCK_MONOTONIC, &to);
	printf("read: %ld, after %d calls and %ld ms\n", got, calls,
		(to.tv_nsec - from.tv_nsec) / 1000000);
	calls = 0;
}

int main(void)
{
	struct itimerval soon = { { 0, 0 }, { 0, 2000 } }, often = { { 0, 2000 }, { 0, 2000 } };
	const struct itimerval never = { 0 };
	struct itimerspec every = { { 0, 2000000 }, { 0, 2000000 } };
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
	setitimer(ITIMER_REAL, &often, NULL);
	count_to(20, "real, 20 times");
	setitimer(ITIMER_REAL, &never, NULL);
	timer_settime(timer, 0, &every, NULL);
	count_to(20, "posix, 20 times");
	timer_delete(timer);
	wait_for_alarm();
	return 0;
}
