/*
 * A child that shares memory and descriptors traces its parent, as a leak checker does at the end of
 * a program: it stops it, looks at its registers, lets it go on, and ends. The parent has its
 * descriptors still.
 *
 * Does not differ natively: nothing here is a matter of chance. But who is stopped by a tracer holds
 * nobody back, and a process that ends keeps its hands off what is another's, too.
 *
 * stops: the tracer would be told of them
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int go;

static int trace(void *argument)
{
	pid_t parent = *(pid_t *)argument;
	struct user_regs_struct registers;
	int status;

	while (!go)
		sched_yield();
	if (ptrace(PTRACE_ATTACH, parent, 0, 0))
		return 1;
	if (waitpid(parent, &status, __WALL) != parent || !WIFSTOPPED(status))
		return 2;
	if (ptrace(PTRACE_GETREGS, parent, 0, &registers) || !registers.rip)
		return 3;
	return ptrace(PTRACE_DETACH, parent, 0, 0) ? 4 : 0;
}

int main(void)
{
	static char stack[65536];
	pid_t own = getpid(), child;
	int status;

	printf("before\n");
	fflush(stdout);
	child = clone(trace, stack + sizeof(stack),
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_UNTRACED, &own);
	if (child < 0)
		return 1;
	prctl(PR_SET_PTRACER, child, 0, 0, 0);
	go = 1;
	if (waitpid(child, &status, __WALL) != child)
		return 2;
	printf("the tracer ended with %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return fflush(stdout) ? 3 : 0;
}
