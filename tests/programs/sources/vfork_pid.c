/* A parent continues after vfork only when its child has ended or executed, and the child's pid is
 * the next. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static void report(const char *what, pid_t child)
{
	int status;

	must(waitpid(child, &status, 0) == child);
	printf("%s: parent %d, child %d, status %d\n", what, getpid(), child, WEXITSTATUS(status));
}

int main(void)
{
	pid_t child = vfork();

	if (child == 0) {
		static const char line[] = "child speaks first\n";

		_exit(write(1, line, sizeof(line) - 1) == sizeof(line) - 1 ? 2 : 1);
	}
	report("exit", child);

	child = vfork();
	if (child == 0) {
		execl("/bin/sh", "sh", "-c", "echo $$ of $PPID; exit 3", NULL);
		_exit(127);
	}
	report("exec", child);
	return 0;
}
