/* A thread made by clone makes another one: ids count up in the order of creation, all belong to
 * one process. */
#include "threads_by_clone.h"

static int inner(void *unused)
{
	(void)unused;
	say("inner thread %ld of %ld\n", syscall(SYS_gettid), syscall(SYS_getpid));
	return 0;
}

static int outer(void *unused)
{
	struct cloned cloned;

	(void)unused;
	say("outer thread %ld of %ld\n", syscall(SYS_gettid), syscall(SYS_getpid));
	clone_thread(&cloned, inner, NULL);
	wait_for_thread(&cloned);
	say("outer thread: %d is over\n", cloned.id);
	return 0;
}

int main(void)
{
	struct cloned cloned;

	for (int i = 0; i < 2; i++) {
		clone_thread(&cloned, outer, NULL);
		wait_for_thread(&cloned);
		say("main thread: %d is over\n", cloned.id);
	}
	return 0;
}
