/* Real-time signals that several processes queue: each with its number and value, in which order
 * they come; and how many ordinary ones are left of many. */
#include <signal.h>

#include "race.h"

#define SENDERS 4
#define EACH	6

static pid_t parent;

static void *send_all(void *number)
{
	for (int i = 0; i < EACH; i++) {
		union sigval value = { .sival_int = (int)(long)number * 100 + i };

		must(sigqueue(parent, SIGRTMIN + i % 2, value) == 0);
		must(kill(parent, SIGUSR1) == 0);
		compute(200);
	}
	return NULL;
}

int main(void)
{
	struct timespec at_once = { 0, 0 };
	siginfo_t info;
	sigset_t set;
	int ordinary = 0, queued = 0;

	parent = getpid();
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMIN + 1);
	sigaddset(&set, SIGUSR1);
	must(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	start_processes(SENDERS, send_all);
	for (int i = 0; i < SENDERS * EACH / 2; queued++, i++) {
		while (sigwaitinfo(&set, &info) == SIGUSR1)
			ordinary++;
		printf("%d:%d ", info.si_signo - SIGRTMIN, info.si_value.sival_int);
	}
	printf("\n%d ordinary ones\n", ordinary);
	end_processes(SENDERS);
	while (sigtimedwait(&set, &info, &at_once) > 0)
		if (info.si_signo != SIGUSR1) {
			printf("%d:%d ", info.si_signo - SIGRTMIN, info.si_value.sival_int);
			queued++;
		}
	printf("\n");
	must(queued == SENDERS * EACH);
	return 0;
}
