/* Signals to children and threads that were made a moment ago: by number, and by group. Each finds
 * its receiver, whether that has run yet or not. Does not differ natively: all are found there
 * too. */
#include <signal.h>

#include "race.h"

#define ROUNDS 8

static pid_t waiting_child(void)
{
	pid_t child = fork();

	must(child >= 0);
	if (child == 0)
		for (;;)
			pause();
	return child;
}

static void expect_end(pid_t child, int signal)
{
	int status;

	must(waitpid(child, &status, 0) == child);
	must(WIFSIGNALED(status) && WTERMSIG(status) == signal);
}

static volatile pthread_t handled_by;

static void handler(int signal)
{
	(void)signal;
	handled_by = pthread_self();
}

static void *wait_for_signal(void *unused)
{
	while (!handled_by)
		usleep(100);
	return unused;
}

static void signal_thread(void)
{
	pthread_t thread;

	handled_by = 0;
	must(pthread_create(&thread, NULL, wait_for_signal, NULL) == 0);
	must(pthread_kill(thread, SIGUSR2) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(pthread_equal(handled_by, thread));
}

int main(void)
{
	signal(SIGUSR2, handler);
	for (int i = 0; i < ROUNDS; i++) {
		pid_t first = waiting_child(), second = waiting_child();

		must(kill(first, SIGTERM) == 0);
		must(setpgid(second, second) == 0 && kill(-second, SIGUSR1) == 0);
		expect_end(first, SIGTERM);
		expect_end(second, SIGUSR1);
		signal_thread();
	}
	printf("all were found\n");
	return 0;
}
