/* A process that selects over two pipes, written by its child and its grandchild at the same time,
 * finds the same ones ready each time. */
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define MESSAGES 10

static void write_messages(int to, char name)
{
	for (int i = 0; i < MESSAGES; i++) {
		char message[2] = { name, (char)('0' + i) };

		must(write(to, message, 2) == 2);
	}
}

static void writers(int first[2], int second[2])
{
	pid_t grandchild = fork();

	if (grandchild == 0) {
		close(first[1]);
		write_messages(second[1], 'g');
		_exit(0);
	}
	close(second[1]);
	write_messages(first[1], 'c');
	close(first[1]);
	printf("child %d, grandchild %d: done\n", getpid(), waitpid(grandchild, NULL, 0));
	_exit(0);
}

/* Whether the pipe goes on. */
static int take(int from, int *total)
{
	char message[64];
	ssize_t n = read(from, message, sizeof(message));

	printf(" %.*s", (int)n, message);
	*total += (int)n;
	return n > 0;
}

int main(void)
{
	int pipes[2][2], open[2] = { 1, 1 }, total = 0;

	must(pipe(pipes[0]) == 0 && pipe(pipes[1]) == 0);
	if (fork() == 0)
		writers(pipes[0], pipes[1]);
	close(pipes[0][1]);
	close(pipes[1][1]);
	while (open[0] || open[1]) {
		fd_set set;

		FD_ZERO(&set);
		for (int i = 0; i < 2; i++)
			if (open[i])
				FD_SET(pipes[i][0], &set);
		int ready = select(FD_SETSIZE, &set, NULL, NULL, NULL);

		printf("ready: %d:", ready);
		for (int i = 0; i < 2; i++)
			if (FD_ISSET(pipes[i][0], &set))
				open[i] = take(pipes[i][0], &total);
		printf("\n");
	}
	must(wait(NULL) > 0);
	must(total == 2 * 2 * MESSAGES);
	return 0;
}
