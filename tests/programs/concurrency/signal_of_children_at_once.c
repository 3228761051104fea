/* Two children end at the same time while their parent blocks SIGCHLD: it is told of that when it
 * lets the signal through, each time. Does not differ natively: there is one of them at least. */
#include <signal.h>

#include "race.h"

#define TIMES 400

static volatile sig_atomic_t told;

static void handler(int signal)
{
	(void)signal;
	told++;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	sigset_t child;
	int missed = 0;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	must(sigaction(SIGCHLD, &action, NULL) == 0);
	for (int i = 0; i < TIMES; i++) {
		int before = told;

		must(sigprocmask(SIG_BLOCK, &child, NULL) == 0);
		for (int k = 0; k < 2; k++)
			if (fork() == 0)
				_exit(0);
		while (wait(NULL) > 0)
			;
		must(sigprocmask(SIG_UNBLOCK, &child, NULL) == 0);
		missed += told == before;
	}
	printf("%d times not told\n", missed);
	return 0;
}
