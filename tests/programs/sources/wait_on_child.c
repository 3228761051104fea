/* What a child printed comes before what its parent prints after wait, and wait without a pid takes
 * children in one order: here the order in which they are let go. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define CHILDREN 5

static pid_t born(int number, const int gate[2])
{
	pid_t child = fork();
	char byte;

	must(child >= 0);
	if (child > 0)
		return child;
	close(gate[1]);
	must(read(gate[0], &byte, 1) == 0);
	printf("child %d: pid %d of %d\n", number, getpid(), getppid());
	_exit(number);
}

int main(void)
{
	int gates[CHILDREN][2], status;

	for (int i = 0; i < CHILDREN; i++) {
		must(pipe(gates[i]) == 0);
		pid_t child = born(i, gates[i]);

		close(gates[i][0]);
		printf("parent: made %d\n", child);
		for (int j = 0; j < i; j++)
			must(waitpid(-1, &status, WNOHANG) == 0);
	}
	/* Each child holds the gates of those before it, so the last one goes first. */
	for (int i = CHILDREN - 1; i >= 0; i--) {
		close(gates[i][1]);
		pid_t child = wait(&status);

		printf("parent: child %d is over, status %d\n", child, WEXITSTATUS(status));
	}
	must(wait(&status) == -1 && errno == ECHILD);
	return 0;
}
