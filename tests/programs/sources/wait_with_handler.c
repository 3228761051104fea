/*
 * The signal of a child's end does not interrupt the wait for that child, though its handler does
 * not ask for restarts; that of another one, which ends first, is not lost either. Does not differ
 * natively: the kernel looks for children first.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int signals;

static void count(int number)
{
	(void)number;
	signals++;
}

static pid_t child(int milliseconds)
{
	pid_t pid = fork();

	if (pid == 0) {
		usleep(1000 * milliseconds);
		_exit(0);
	}
	return pid;
}

static void wait_for_one(int milliseconds)
{
	pid_t pid = child(milliseconds), found;

	signals = 0;
	found = wait(NULL);
	printf("after %d ms: %s, signals %d\n", milliseconds,
		found == pid ? "the child" : "another", signals);
}

int main(void)
{
	struct sigaction action = { .sa_handler = count };
	pid_t first, second;

	sigaction(SIGCHLD, &action, NULL);
	wait_for_one(0);
	wait_for_one(1);
	wait_for_one(50);
	signals = 0;
	first = child(100);
	second = child(1);
	printf("second: %d\n", wait(NULL) == second);
	printf("first: %d\n", wait(NULL) == first);
	printf("none: %d, signals %d\n", wait(NULL) < 0 && errno == ECHILD, signals);
	return 0;
}
