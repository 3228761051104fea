/* posix_spawn: file actions, signal attributes, process groups, errors. */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char **environ;

static int wait_for(pid_t child)
{
	int status;
	must(waitpid(child, &status, 0) == child);
	return status;
}

static void check_file_actions(void)
{
	pid_t child;
	char text[64] = "";
	posix_spawn_file_actions_t actions;
	char *arguments[] = { "sh", "-c", "pwd; echo to stderr >&2; cat", NULL };
	int out = open("spawned.txt", O_RDWR | O_CREAT | O_TRUNC, 0600);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, out, 1);
	posix_spawn_file_actions_adddup2(&actions, 1, 2);
	posix_spawn_file_actions_addclose(&actions, out);
	posix_spawn_file_actions_addchdir_np(&actions, "/");
	expect("posix_spawn", posix_spawn(&child, "/bin/sh", &actions, NULL, arguments, environ),
		0);
	expect("status", wait_for(child), 0);
	must(pread(out, text, sizeof(text) - 1, 0) > 0);
	printf("it wrote: %s", text);
	expect("as expected", strcmp(text, "/\nto stderr\n"), 0);
	posix_spawn_file_actions_destroy(&actions);
	close(out);
	unlink("spawned.txt");
}

static int self_check(void)
{
	sigset_t now;
	struct sigaction action;
	sigprocmask(SIG_BLOCK, NULL, &now);
	sigaction(SIGUSR2, NULL, &action);
	return sigismember(&now, SIGUSR1) + 2 * (action.sa_handler == SIG_DFL) +
	       4 * (getpgrp() == getpid());
}

static void check_attributes(char *self)
{
	pid_t child;
	sigset_t set;
	posix_spawnattr_t attributes;
	char *arguments[] = { self, "child", NULL };
	signal(SIGUSR2, SIG_IGN);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes,
		POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	posix_spawnattr_setsigmask(&attributes, &set);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	posix_spawnattr_setsigdefault(&attributes, &set);
	posix_spawnattr_setpgroup(&attributes, 0);
	for (int i = 0; i < 50; i++) {
		must(posix_spawn(&child, self, NULL, &attributes, arguments, environ) == 0);
		int status = wait_for(child);
		if (i == 0 || WEXITSTATUS(status) != 7)
			expect("mask 1, default 2, group 4", WEXITSTATUS(status), 7);
	}
	struct sigaction action;
	sigaction(SIGUSR2, NULL, &action);
	expect_true("the parent still ignores", action.sa_handler == SIG_IGN);
}

int main(int argc, char **argv)
{
	pid_t child;
	char *arguments[] = { "none", NULL };
	if (argc > 1)
		return self_check();
	check_file_actions();
	check_attributes(argv[0]);
	expect("a missing program", posix_spawn(&child, "/no/such", NULL, NULL, arguments, environ),
		ENOENT);
	expect("a directory", posix_spawn(&child, "/tmp", NULL, NULL, arguments, environ), EACCES);
	expect("system()", WEXITSTATUS(system("exit 9")), 9);
	FILE *pipe = popen("echo from popen; exit 3", "r");
	char line[64] = "";
	must(pipe && fgets(line, sizeof(line), pipe));
	printf("%s", line);
	expect("pclose", WEXITSTATUS(pclose(pipe)), 3);
	return verdict();
}
