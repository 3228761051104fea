/* Who reads a file made by another process makes files that are newer; the clock agrees. */
#include <sys/wait.h>
#include <time.h>

#include "files.h"

static long long made(const char *path)
{
	touch(path);
	return ns(look(path).st_mtim);
}

int main(void)
{
	int ends[2];
	char byte;
	struct timespec now;
	long long by_child, by_parent;

	check(pipe(ends) == 0, "pipe");
	if (fork() == 0) {
		for (int i = 0; i < 1000; i++) {
			char name[16];

			snprintf(name, sizeof(name), "c%d", i);
			touch(name);
		}
		check(write(ends[1], "x", 1) == 1, "write");
		_exit(0);
	}
	check(read(ends[0], &byte, 1) == 1, "read");
	by_child = ns(look("c999").st_mtim);
	by_parent = made("p");
	clock_gettime(CLOCK_REALTIME, &now);
	printf("newer than the child's: %d, the clock is after both: %d", by_parent > by_child,
		ns(now) > by_parent);
	show_time("at", look("c999").st_ctim);
	puts("");
	wait(NULL);
	return 0;
}
