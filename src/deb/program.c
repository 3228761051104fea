#include "deb/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

#define NOT_RUN 127

static _Noreturn void become(char *const argv[], const char *directory, int output)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("LC_ALL", "C", 1);
	setenv("DEBIAN_FRONTEND", "noninteractive", 1);
	if ((!directory || chdir(directory) == 0) && dup2(output, STDOUT_FILENO) >= 0 &&
		dup2(output, STDERR_FILENO) >= 0)
		execvp(argv[0], argv);
	_exit(NOT_RUN);
}

static int read_all(int fd, char **text)
{
	cleanup_file FILE *in = fdopen(fd, "r");
	size_t room = 0;

	*text = NULL;
	if (!in) {
		close(fd);
		return -1;
	}
	if (getdelim(text, &room, '\0', in) >= 0)
		return 0;
	free(*text);
	*text = strdup("");
	return *text ? 0 : -1;
}

int program_run(char *const argv[], const char *directory, char **output, struct error *err)
{
	int ends[2], status, failed;
	pid_t pid;

	*output = NULL;
	if (pipe2(ends, O_CLOEXEC))
		return error_set(err, errno, "cannot run %s", argv[0]);
	pid = fork();
	if (pid == 0)
		become(argv, directory, ends[1]);
	close(ends[1]);
	failed = read_all(ends[0], output);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid < 0 || failed)
		return error_set(err, errno, "cannot run %s", argv[0]);
	if (!WIFEXITED(status))
		return error_set(err, 0, "%s was ended by signal %d", argv[0], WTERMSIG(status));
	if (WEXITSTATUS(status) == NOT_RUN)
		return error_set(err, 0, "cannot run %s; is it installed?", argv[0]);
	return WEXITSTATUS(status);
}
