/*
 * chroot: a program in a small root of its own. Takes a directory that has ./static and, with its
 * libraries, ./dynamic: both end with the status that their argument says.
 */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int run(const char *root, const char *program)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		must(chroot(root) == 0 && chdir("/") == 0);
		execl(program, program, "29", NULL);
		_exit(errno);
	}
	must(waitpid(child, &status, 0) == child);
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		expect_errno("chroot to nothing", chroot("/no/such"), ENOENT);
		return verdict();
	}
	expect("static program", run(argv[1], "/static"), 29);
	expect("dynamic program", run(argv[1], "/dynamic"), 29);
	expect("missing program", run(argv[1], "/bin/sh"), ENOENT);
	return verdict();
}
