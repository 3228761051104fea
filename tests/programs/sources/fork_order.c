/* Which of parent, child and grandchild goes first is the container's decision, not the kernel's:
 * nobody waits before printing, so no order is expected, only the same one each time. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static void speak(const char *who)
{
	printf("%s: pid %d, parent %d\n", who, getpid(), getppid());
}

static void two_processes(void)
{
	pid_t child = fork();

	if (child == 0) {
		speak("child");
		_exit(0);
	}
	speak("parent");
	printf("parent: my child is %d\n", child);
	must(waitpid(child, NULL, 0) == child);
}

static void three_processes(void)
{
	pid_t child = fork();

	if (child == 0) {
		pid_t grandchild = fork();

		speak(grandchild ? "child of three" : "grandchild");
		if (grandchild)
			waitpid(grandchild, NULL, 0);
		_exit(0);
	}
	speak("parent of three");
	must(waitpid(child, NULL, 0) == child);
}

int main(void)
{
	two_processes();
	three_processes();
	return 0;
}
