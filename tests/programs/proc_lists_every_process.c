/* /proc lists every process, also those that bear the numbers of descriptors that Stet hides. */
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Around HIDDEN_FD_FIRST of arena/layout.h: a container's processes get these numbers. */
#define FIRST	 1996
#define CHILDREN 16

static pid_t children[CHILDREN];

/* Uses numbers up until the next is FIRST; natively it is most often far behind that already. */
static void advance(void)
{
	for (;;) {
		pid_t child = vfork();
		if (child == 0)
			_exit(0);
		must(waitpid(child, NULL, 0) == child);
		if (child >= FIRST - 1)
			return;
	}
}

static int is_ours(pid_t process)
{
	for (int i = 0; i < CHILDREN; i++)
		if (children[i] == process)
			return 1;
	return 0;
}

static int listed(void)
{
	int count = 0;
	DIR *directory = opendir("/proc");
	must(directory != NULL);
	for (struct dirent *entry; (entry = readdir(directory));)
		count += is_ours(atoi(entry->d_name));
	closedir(directory);
	return count;
}

int main(void)
{
	advance();
	for (int i = 0; i < CHILDREN; i++) {
		children[i] = fork();
		must(children[i] >= 0);
		if (children[i] == 0)
			for (;;)
				pause();
	}
	expect("children listed", listed(), CHILDREN);
	for (int i = 0; i < CHILDREN; i++) {
		kill(children[i], SIGKILL);
		must(waitpid(children[i], NULL, 0) == children[i]);
	}
	expect("listed after their end", listed(), 0);
	return verdict();
}
