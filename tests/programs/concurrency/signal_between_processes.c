/* Processes that send each other signals: how far each gets before the next one arrives, and who
 * sent it. */
#include <signal.h>

#include "race.h"

#define ROUNDS 20

static volatile sig_atomic_t arrived, sender;
static volatile long steps;

static void handler(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	arrived++;
	sender = info->si_pid;
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	pid_t self = getpid(), other;
	int last = 0;

	must(sigaction(SIGUSR1, &action, NULL) == 0);
	other = fork();
	must(other >= 0);
	if (other == 0)
		other = self;
	else
		while (!arrived)
			usleep(100);
	for (int i = 0; i < ROUNDS; i++) {
		long before = steps;

		kill(other, SIGUSR1);
		for (int j = 0; j < 200 && arrived == last; j++, steps++)
			getppid();
		last = arrived;
		if (other != self)
			printf("%d: %ld steps, %d arrived\n", i, steps - before, last);
		must(sender == 0 || sender == other);
	}
	while (other != self && waitpid(other, NULL, 0) != other)
		must(errno == EINTR);
	return 0;
}
