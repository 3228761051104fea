/* Numbers of processes, threads, groups and sessions are the container's own, counted from the
 * start. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void show(const char *who)
{
	printf("%s: pid %d, tid %ld, parent %d, group %d, session %d\n", who, getpid(),
		syscall(SYS_gettid), getppid(), getpgrp(), getsid(0));
	fflush(stdout);
}

static void *thread(void *unused)
{
	show("thread");
	return unused;
}

static void child(pid_t (*birth)(void), const char *who)
{
	pid_t pid = birth();

	if (pid == 0) {
		show(who);
		_exit(0);
	}
	printf("born: %d, waited for: %d\n", pid, waitpid(pid, NULL, 0));
}

static pid_t direct_fork(void)
{
	return (pid_t)syscall(SYS_fork);
}

int main(void)
{
	pthread_t id;

	setvbuf(stdout, NULL, _IONBF, 0);
	show("command");
	for (int i = 0; i < 3; i++)
		child(fork, "child");
	child(direct_fork, "fork by hand");
	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
	child(fork, "child after a thread");
	return 0;
}
