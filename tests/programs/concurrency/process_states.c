/* Processes wait, and one that is stopped from outside does not look otherwise. Does not differ
 * natively, where nobody stops them. */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define LOOKS 20000

static char state_of(int pid)
{
	char path[32], text[512], *end;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	fd = open(path, O_RDONLY);
	must(fd >= 0);
	n = read(fd, text, sizeof(text) - 1);
	must(n > 0);
	close(fd);
	text[n] = '\0';
	end = strrchr(text, ')');
	must(end && strlen(end) > 2);
	return end[2];
}

static void add(char *seen, char state)
{
	if (!strchr(seen, state))
		seen[strlen(seen)] = state;
}

int main(void)
{
	char first[64] = "", child[64] = "";
	int pid = fork(), status;

	must(pid >= 0);
	if (pid == 0)
		for (;;)
			pause();
	usleep(20000);
	for (int i = 0; i < LOOKS; i++) {
		add(first, state_of(1));
		add(child, state_of(pid));
	}
	printf("first %s, child %s\n", first, child);
	must(kill(pid, SIGKILL) == 0 && waitpid(pid, &status, 0) == pid);
	return 0;
}
