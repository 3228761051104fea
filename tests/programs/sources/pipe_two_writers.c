/* Lines of two processes that write to one pipe at the same time come in one order. Each line is
 * whole, and those of one writer stay in its order; how the two mix is the container's decision. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define LINES 20

static pid_t writer(int number, const int ends[2])
{
	pid_t child = fork();

	must(child >= 0);
	if (child > 0)
		return child;
	close(ends[0]);
	for (int i = 0; i < LINES; i++)
		dprintf(ends[1], "writer %d (%d): line %d\n", number, getpid(), i);
	_exit(0);
}

int main(void)
{
	int ends[2], next[2] = { 0, 0 };
	char line[100];

	must(pipe(ends) == 0);
	writer(0, ends);
	writer(1, ends);
	close(ends[1]);
	FILE *lines = fdopen(ends[0], "r");

	while (fgets(line, sizeof(line), lines)) {
		int who, pid, number;

		fputs(line, stdout);
		must(sscanf(line, "writer %d (%d): line %d", &who, &pid, &number) == 3);
		must(number == next[who]++);
	}
	printf("%d and %d lines\n", next[0], next[1]);
	must(next[0] == LINES && next[1] == LINES);
	must(wait(NULL) > 0 && wait(NULL) > 0);
	return 0;
}
