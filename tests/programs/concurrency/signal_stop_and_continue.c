/* A child that is stopped and continued again and again: how far it gets in between, and what wait
 * says. */
#include <signal.h>

#include "race.h"

#define ROUNDS 8

static volatile long *steps;

int main(void)
{
	int status;

	steps = shared_memory(sizeof(*steps));
	pid_t child = fork();

	must(child >= 0);
	if (child == 0)
		for (;; (*steps)++)
			getppid();
	for (int i = 0; i < ROUNDS; i++) {
		long before;

		usleep(1000);
		must(kill(child, SIGSTOP) == 0);
		must(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
		before = *steps;
		usleep(1000);
		must(*steps == before);
		must(kill(child, SIGCONT) == 0);
		must(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status));
		printf("%ld steps\n", before);
	}
	must(kill(child, SIGKILL) == 0);
	must(waitpid(child, &status, 0) == child && WTERMSIG(status) == SIGKILL);
	printf("%ld steps at the end\n", *steps);
	return 0;
}
