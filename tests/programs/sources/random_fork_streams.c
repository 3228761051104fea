/*
 * Parent, children, grandchildren, vfork's and exec's programs all have streams of their own, which
 * do not repeat each other and do not depend on who takes first.
 */
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *who)
{
	uint64_t value = 0;

	syscall(SYS_getrandom, &value, sizeof(value), 0);
	printf("%s %016lx\n", who, value);
	fflush(stdout);
}

static void in_child(void (*act)(void))
{
	pid_t child = fork();

	if (child == 0) {
		act();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

static void grandchild(void)
{
	show("grandchild");
}

static void child(void)
{
	show("child");
	in_child(grandchild);
	show("child again");
	in_child(grandchild);
}

static void program(void)
{
	show("before exec");
	execl("/proc/self/exe", "x", "exec", NULL);
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		/* How much of the stream the C library took is its business: a child's is fresh. */
		if (fork() == 0) {
			show("after exec");
			_exit(0);
		}
		wait(NULL);
		return 0;
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	in_child(child);
	in_child(child);
	in_child(program);
	if (vfork() == 0) {
		uint64_t value;
		char text[32];

		syscall(SYS_getrandom, &value, sizeof(value), 0);
		syscall(SYS_write, 1, text, snprintf(text, sizeof(text), "vfork %016lx\n", value));
		_exit(0);
	}
	wait(NULL);
	return 0;
}
