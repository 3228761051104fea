/* The name that mkstemp makes up in an executed child is the same each time. The C library chooses
 * how, so that no name is expected, only its form. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static int make_file(void)
{
	char name[] = "/tmp/fileXXXXXX";
	int file = mkstemp(name);

	must(file >= 0);
	must(strlen(name) == 15 && strcmp(name + 9, "XXXXXX") != 0);
	printf("%d: %s\n", getpid(), name);
	must(unlink(name) == 0);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return make_file();
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		int status;

		if (child == 0) {
			execl("/proc/self/exe", argv[0], "child", NULL);
			_exit(127);
		}
		must(waitpid(child, &status, 0) == child && status == 0);
	}
	return make_file();
}
