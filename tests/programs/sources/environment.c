/* What a process inherits without asking: variables, streams, descriptors, umask, signals, session.
 * Does not differ natively: not in two runs of one caller; other callers, terminals and pipes
 * do. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void show_stream(int fd)
{
	struct stat status;
	const char *kind;

	if (fstat(fd, &status)) {
		printf("stream %d: closed\n", fd);
		return;
	}
	kind = S_ISFIFO(status.st_mode) ? "a pipe" : S_ISCHR(status.st_mode) ? "a device" : "else";
	printf("stream %d: %s, mode %o, owner %u:%u, %ld bytes, flags %o, %s\n", fd, kind,
		status.st_mode & 07777, status.st_uid, status.st_gid, (long)status.st_size,
		fcntl(fd, F_GETFL), isatty(fd) ? "a terminal" : "no terminal");
}

static void show_descriptors(void)
{
	for (int fd = 3; fd < 4096; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("descriptor %d is open\n", fd);
}

static void show_signals(void)
{
	struct sigaction action;
	sigset_t mask;

	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int i = 1; i < NSIG; i++) {
		if (sigismember(&mask, i) == 1)
			printf("signal %d is blocked\n", i);
		if (sigaction(i, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
			printf("signal %d is not at its default\n", i);
	}
}

int main(void)
{
	mode_t mask = umask(0);

	for (char **variable = environ; *variable; variable++)
		puts(*variable);
	for (int fd = 0; fd < 3; fd++)
		show_stream(fd);
	show_descriptors();
	show_signals();
	printf("umask %03o, session %d, group %d, process %d\n", mask, getsid(0), getpgrp(),
		getpid());
	printf("/dev/tty %s\n", open("/dev/tty", O_RDWR) < 0 ? "cannot be opened" : "opened");
	return 0;
}
