/* A signal to a group of processes: who handles it first, who is killed by it before doing more,
 * and whom it finds. */
#include <signal.h>

#include "race.h"

#define MEMBERS 6

static int out;
static char name;

static void handler(int signal)
{
	char line[2] = { name, signal == SIGUSR1 ? '1' : '2' };

	must(write(out, line, 2) == 2);
}

static void member(int number, int ready)
{
	name = (char)('a' + number);
	signal(SIGUSR1, handler);
	signal(SIGUSR2, handler);
	must(write(ready, &name, 1) == 1);
	for (int i = 0; i < 4; i++)
		pause();
	_exit(number);
}

int main(void)
{
	int ends[2], ready[2], status;
	char text[MEMBERS * 16] = "";
	pid_t group = 0;

	must(pipe(ends) == 0 && pipe(ready) == 0);
	out = ends[1];
	for (int i = 0; i < MEMBERS; i++) {
		pid_t child = fork();

		if (child == 0)
			member(i, ready[1]);
		group = group ? group : child;
		must(setpgid(child, group) == 0);
	}
	for (int i = 0; i < MEMBERS; i++)
		must(read(ready[0], text, 1) == 1);
	must(kill(-group, SIGUSR1) == 0 && kill(-group, SIGUSR2) == 0);
	compute(200000);
	must(kill(-group, SIGTERM) == 0);
	close(ends[1]);
	for (int i = 0; i < MEMBERS; i++) {
		pid_t child = waitpid(-group, &status, 0);

		printf("%d ended by %d\n", child - group, WTERMSIG(status));
	}
	must(kill(-group, 0) == -1 && errno == ESRCH);
	text[read(ends[0], text, sizeof(text) - 1)] = 0;
	printf("%s\n", text);
	return 0;
}
