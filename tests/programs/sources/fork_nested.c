/* Pids count up in the order of creation down a line of processes, and each is over before its
 * parent's wait returns. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static int descend(int depth)
{
	if (depth == 4)
		return 0;
	pid_t child = fork();
	int status;

	if (child == 0) {
		printf("begin %d: pid %d, parent %d\n", depth, getpid(), getppid());
		_exit(descend(depth + 1) + 1);
	}
	must(waitpid(child, &status, 0) == child);
	printf("end %d: pid %d, seen by %d, status %d\n", depth, child, getpid(),
		WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

int main(void)
{
	descend(0);
	return 0;
}
