/* exec needs no free descriptor, and none that can be read. */
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char **environ;
static char *const words[] = { "static_glibc", "21", NULL };
static const char program[] = "./bin/static_glibc"; /* ends with the status it is told */

static void through_path_descriptor(void)
{
	int file = open(program, O_PATH);
	must(file >= 0);
	fexecve(file, words, environ);
}

static void soft_limit(rlim_t count)
{
	struct rlimit limit;
	must(getrlimit(RLIMIT_NOFILE, &limit) == 0);
	limit.rlim_cur = count;
	must(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static void below_limit(void)
{
	soft_limit(3);
	execv(program, words);
}

static void all_taken(void)
{
	soft_limit(64);
	while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
		;
	expect_errno("one more descriptor", open("/dev/null", O_RDONLY), EMFILE);
	execv(program, words);
}

static void check(const char *what, void (*start)(void))
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		start();
		printf("FAILED %s: %s\n", what, strerror(errno));
		_exit(1);
	}
	must(waitpid(child, &status, 0) == child);
	expect(what, WIFEXITED(status) ? WEXITSTATUS(status) : -1, 21);
}

int main(void)
{
	check("fexecve of an O_PATH descriptor", through_path_descriptor);
	check("execv with a limit of 3 descriptors", below_limit);
	check("execv with every descriptor taken", all_taken);
	return verdict();
}
