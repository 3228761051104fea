/* Processes that are killed, or get SIGPIPE, while they write: how much is there before. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "race.h"

#define CHILDREN 4

static void *work(void *number)
{
	char name[16];

	snprintf(name, sizeof(name), "file%ld", (long)number);
	int fd = open(name, O_WRONLY | O_CREAT, 0600);

	for (;;)
		must(write(fd, "x", 1) == 1);
}

static void kill_all(void)
{
	pid_t children[CHILDREN];

	for (long i = 0; i < CHILDREN; i++)
		if ((children[i] = fork()) == 0)
			work((void *)i);
	for (int i = 0; i < CHILDREN; i++) {
		struct stat file = { 0 };
		char name[16];
		int status;

		usleep(2000);
		must(kill(children[i], i % 2 ? SIGKILL : SIGTERM) == 0);
		must(waitpid(children[i], &status, 0) == children[i] && WIFSIGNALED(status));
		snprintf(name, sizeof(name), "file%d", i);
		stat(name, &file);
		printf("%s: %ld bytes\n", name, (long)file.st_size);
	}
}

static void break_pipe(void)
{
	int ends[2], status;
	char bytes[50];
	long *written = shared_memory(sizeof(*written));

	must(pipe(ends) == 0);
	if (fork() == 0) {
		close(ends[0]);
		for (;; ++*written)
			must(write(ends[1], "x", 1) == 1);
	}
	close(ends[1]);
	for (int i = 0; i < 10; i++)
		must(read(ends[0], bytes, sizeof(bytes)) > 0);
	close(ends[0]);
	must(wait(&status) > 0 && WTERMSIG(status) == SIGPIPE);
	printf("%ld bytes before SIGPIPE\n", *written);
}

int main(void)
{
	kill_all();
	break_pipe();
	return 0;
}
