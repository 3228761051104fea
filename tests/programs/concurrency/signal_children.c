/* SIGCHLD of children that end at about the same time: how many signals there are, whom they name,
 * and what wait finds in the handler. */
#include <signal.h>

#include "race.h"

#define CHILDREN 8

static volatile sig_atomic_t signals, reaped;
static char order[CHILDREN + 1], told[CHILDREN + 1];
static pid_t first;

static void handler(int signal, siginfo_t *info, void *context)
{
	pid_t child;

	(void)signal, (void)context;
	if (signals < CHILDREN)
		told[signals] = (char)('a' + info->si_pid - first);
	signals++;
	while ((child = waitpid(-1, NULL, WNOHANG)) > 0)
		order[reaped++] = (char)('a' + child - first);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	sigset_t chld, none;

	sigemptyset(&none);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	must(sigaction(SIGCHLD, &action, NULL) == 0);
	must(sigprocmask(SIG_BLOCK, &chld, NULL) == 0);
	for (int i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		must(child >= 0);
		if (child == 0) {
			compute(50000);
			_exit(i);
		}
		first = first ? first : child;
	}
	while (reaped < CHILDREN)
		sigsuspend(&none);
	printf("%d signals, of %s\nreaped: %s\n", signals, told, order);
	return 0;
}
