/* The order in which wait finds children that end at about the same time. */
#include "race.h"

#define CHILDREN 8

int main(void)
{
	pid_t children[CHILDREN];

	for (int i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		must(children[i] >= 0);
		if (children[i] == 0) {
			compute(300000 + 1000 * (i * 5 % CHILDREN));
			_exit(i);
		}
	}
	for (int i = 0; i < CHILDREN; i++) {
		int status;
		pid_t child = wait(&status);

		must(child == children[WEXITSTATUS(status)]);
		printf("child %d is over\n", WEXITSTATUS(status));
	}
	must(wait(NULL) == -1 && errno == ECHILD);
	return 0;
}
