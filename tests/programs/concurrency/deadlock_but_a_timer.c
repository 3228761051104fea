/* All wait, but one with a limit, and one has an alarm: no deadlock. The time that they wait for
 * comes at once. Does not differ natively: all that is shown is ordered by time. */
#include <poll.h>
#include <signal.h>

#include "race.h"

static void handler(int signal)
{
	(void)signal;
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	int ends[2];
	char byte;

	must(pipe(ends) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
	if (fork() == 0) {
		struct pollfd fd = { .fd = ends[0], .events = POLLIN };

		must(poll(&fd, 1, 1000) == 0);
		printf("child: nothing in 1 s\n");
		alarm(1);
		must(read(ends[0], &byte, 1) == -1 && errno == EINTR);
		printf("child: alarm\n");
		return 0;
	}
	wait(NULL);
	printf("parent: child is over\n");
	return 0;
}
