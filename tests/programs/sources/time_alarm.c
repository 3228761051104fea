/* alarm fires at its logical time: a sleep, a pause and a program that looks at the clock meet it
 * there. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int calls, code;
static struct timespec fired;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	calls++;
	code = info->si_code;
	clock_gettime(CLOCK_MONOTONIC, &fired);
}

static long long since(struct timespec a)
{
	return (fired.tv_sec - a.tv_sec) * 1000000000ll + fired.tv_nsec - a.tv_nsec;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	struct timespec start, now, left = { 0, 0 };
	long long looked, slept, paused;
	unsigned rest;
	int status;

	sigaction(SIGALRM, &action, NULL);
	clock_gettime(CLOCK_MONOTONIC, &start);
	alarm(1);
	while (!calls)
		clock_gettime(CLOCK_MONOTONIC, &now);
	looked = since(start);

	clock_gettime(CLOCK_MONOTONIC, &start);
	alarm(1);
	nanosleep(&(struct timespec){ 1, 500000000 }, &left);
	slept = since(start);

	clock_gettime(CLOCK_MONOTONIC, &start);
	alarm(1);
	pause();
	paused = since(start);

	printf("looking: %lld ns\n", looked);
	printf("sleeping: %lld ns, %ld ns left\n", slept, left.tv_nsec);
	printf("pausing: %lld ns\n", paused);
	printf("calls %d, code is SI_KERNEL: %d\n", calls, code == SI_KERNEL);
	alarm(10);
	rest = alarm(0);
	printf("left of an alarm: %u\n", rest);
	fflush(stdout);
	if (fork() == 0) {
		signal(SIGALRM, SIG_DFL);
		alarm(1);
		pause();
		_exit(0);
	}
	wait(&status);
	printf("without a handler: signal %d\n", WTERMSIG(status));
	return 0;
}
