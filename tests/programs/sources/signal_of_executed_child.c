/*
 * A child that has executed a program tells of its end once, and in logical time: the kernel, which
 * tells of it by itself at a moment that is a matter of chance, is not heard.
 */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN 20
#define STEPS	 20000000ul

static volatile unsigned long steps, told_at;
static volatile int calls;

static void handler(int number)
{
	(void)number;
	calls++;
	told_at = steps;
}

static void execute(void)
{
	execl("/bin/true", "true", (char *)NULL);
	_exit(1);
}

static void one_after_another(const char *what, int by_vfork)
{
	calls = 0;
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = by_vfork ? vfork() : fork();

		if (pid == 0)
			execute();
		while (wait(NULL) > 0)
			;
	}
	printf("%s: %d signals\n", what, calls);
}

static void while_computing(void)
{
	calls = 0;
	if (fork() == 0)
		execute();
	for (steps = 0; steps < STEPS; steps++)
		;
	while (!calls)
		pause();
	printf("computing: %d signal at step %lu\n", calls, told_at);
	wait(NULL);
}

static void while_blocked(void)
{
	const struct timespec at_once = { 0, 0 };
	siginfo_t info;
	sigset_t set;
	pid_t pid;
	int n = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	pid = fork();
	if (pid == 0)
		execute();
	for (int r = sigwaitinfo(&set, &info); r == SIGCHLD;
		r = sigtimedwait(&set, &info, &at_once))
		n++;
	printf("blocked: %d signal, from the child %d, status %d\n", n, info.si_pid == pid,
		info.si_status);
	waitpid(pid, NULL, 0);
	printf("after waiting: %d\n", sigtimedwait(&set, &info, &at_once));
}

int main(void)
{
	signal(SIGCHLD, handler);
	one_after_another("fork", 0);
	one_after_another("vfork", 1);
	while_computing();
	while_blocked();
	return 0;
}
