/* vfork's child runs in the parent's memory, and the parent waits for it. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile int shared, handled;

static void handler(int number)
{
	(void)number;
	handled++;
}

int main(void)
{
	int status, fd = open("/dev/null", O_RDONLY);
	char *const arguments[] = { "sh", "-c", "exit 6", NULL };
	struct sigaction now;

	pid_t child = vfork();
	if (child == 0) {
		shared = 5;
		close(fd);
		_exit(4);
	}
	expect("written by the child", shared, 5);
	expect("the parent's descriptor is still open", fcntl(fd, F_GETFD), 0);
	must(waitpid(child, &status, 0) == child);
	expect("status", WEXITSTATUS(status), 4);

	signal(SIGUSR1, handler);
	for (volatile int i = 0; i < 200; i++) {
		child = vfork();
		if (child == 0) {
			struct sigaction ignore = { .sa_handler = SIG_IGN };
			sigaction(SIGUSR1, &ignore, NULL);
			execv("/bin/sh", arguments);
			_exit(127);
		}
		must(waitpid(child, &status, 0) == child);
		if (WEXITSTATUS(status) != 6)
			expect("status after exec", WEXITSTATUS(status), 6);
	}
	sigaction(SIGUSR1, NULL, &now);
	expect_true("the child's sigaction did not change the parent's", now.sa_handler == handler);
	raise(SIGUSR1);
	expect("the handler works", handled, 1);

	child = vfork();
	if (child == 0) {
		execv("/no/such/program", arguments);
		shared = errno;
		_exit(1);
	}
	must(waitpid(child, &status, 0) == child);
	expect("errno of a failed exec", shared, ENOENT);

	child = vfork();
	if (child == 0) {
		kill(getpid(), SIGKILL);
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child);
	expect("killed child", WTERMSIG(status), SIGKILL);
	return verdict();
}
