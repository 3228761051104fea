/* How often WNOHANG finds nothing before a child's end, and which of a group's children waitid
 * finds. */
#include <signal.h>

#include "race.h"

#define CHILDREN 6

int main(void)
{
	int polls = 0, status;
	pid_t leader = 0, child = fork();

	must(child >= 0);
	if (child == 0) {
		for (int i = 0; i < 50; i++) {
			compute(2000);
			getppid();
		}
		_exit(7);
	}
	while (waitpid(child, &status, WNOHANG) == 0)
		polls++;
	printf("%d polls, status %d\n", polls, WEXITSTATUS(status));

	for (int i = 0; i < CHILDREN; i++) {
		child = fork();
		must(child >= 0);
		if (child == 0) {
			pause();
			_exit(0);
		}
		leader = leader ? leader : child;
		must(setpgid(child, leader) == 0);
	}
	must(kill(-leader, SIGTERM) == 0);
	for (int i = 0; i < CHILDREN; i++) {
		siginfo_t look, take;

		must(waitid(P_PGID, (id_t)leader, &look, WEXITED | WNOWAIT) == 0);
		must(waitid(P_PID, (id_t)look.si_pid, &take, WEXITED) == 0);
		must(take.si_pid == look.si_pid && take.si_status == SIGTERM);
		printf("child %d\n", take.si_pid - leader);
	}
	return 0;
}
