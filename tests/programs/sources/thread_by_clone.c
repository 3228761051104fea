/* A thread made by clone itself has its own id and the process's pid, reads what the main thread
 * writes to a pipe, and its end is known through the word that the kernel clears. */
#include "threads_by_clone.h"

static int to_thread[2], from_thread[2];

static int thread(void *unused)
{
	char bytes[100];
	long n = syscall(SYS_read, to_thread[0], bytes, sizeof(bytes));

	(void)unused;
	say("thread %ld of %ld: read %ld bytes\n", syscall(SYS_gettid), syscall(SYS_getpid), n);
	syscall(SYS_write, from_thread[1], bytes, 1);
	return 0;
}

int main(void)
{
	struct cloned cloned;
	char bytes[100] = "!";

	must(pipe(to_thread) == 0 && pipe(from_thread) == 0);
	clone_thread(&cloned, thread, NULL);
	say("process %d: made %d\n", getpid(), cloned.id);
	must(write(to_thread[1], bytes, sizeof(bytes)) == sizeof(bytes));
	must(read(from_thread[0], bytes, 1) == 1);
	wait_for_thread(&cloned);
	say("process %d: %d is over\n", getpid(), cloned.id);
	return 0;
}
