/* Which pids fall to processes that are made by several at the same time. */
#include "race.h"

#define MAKERS 4
#define EACH   5

static pid_t (*made)[EACH];

static void *make(void *number)
{
	for (int i = 0; i < EACH; i++) {
		pid_t child = fork();

		must(child >= 0);
		if (child == 0)
			_exit(0);
		made[(long)number][i] = child;
		compute(3000);
		must(waitpid(child, NULL, 0) == child);
	}
	return NULL;
}

int main(void)
{
	pid_t self = getpid();

	made = shared_memory(sizeof(*made) * MAKERS);
	in_processes(MAKERS, make);
	for (int i = 0; i < MAKERS; i++) {
		printf("maker %d:", i);
		for (int j = 0; j < EACH; j++)
			printf(" %d", made[i][j] - self);
		printf("\n");
	}
	return 0;
}
