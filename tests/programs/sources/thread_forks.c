/* A child that a thread forks belongs to the process: its parent is the process, and any thread may
 * wait for it, whether the thread that forked is joined or has long ended. */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static void wait_for(pid_t child)
{
	int status;

	must(waitpid(child, &status, 0) == child);
	printf("thread %ld of %d: child %d gave %d\n", syscall(SYS_gettid), getpid(), child,
		WEXITSTATUS(status));
}

static pid_t make_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		printf("child %d, thread %ld, parent %d\n", getpid(), syscall(SYS_gettid),
			getppid());
		_exit(9);
	}
	return child;
}

static void *fork_and_wait(void *unused)
{
	wait_for(make_child());
	return unused;
}

static void *fork_and_leave(void *unused)
{
	(void)unused;
	return (void *)(long)make_child();
}

int main(void)
{
	pthread_t thread;
	void *child;

	must(pthread_create(&thread, NULL, fork_and_wait, NULL) == 0);
	must(pthread_join(thread, NULL) == 0);
	must(pthread_create(&thread, NULL, fork_and_leave, NULL) == 0);
	must(pthread_join(thread, &child) == 0);
	wait_for((pid_t)(long)child);
	must(wait(NULL) == -1 && errno == ECHILD);
	return 0;
}
