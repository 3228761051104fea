/* Threads made by clone itself, without the C library's help: they may make system calls and no
 * more. */
#ifndef STET_TESTS_THREADS_BY_CLONE_H
#define STET_TESTS_THREADS_BY_CLONE_H

#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

#define CLONE_STACK (64 << 10)

/* The kernel writes 0 here and wakes when the thread has ended. */
struct cloned {
	int alive;
	pid_t id;
};

/* One write per line, and nothing of stdio: that needs a thread pointer of one's own. */
__attribute__((unused, format(printf, 1, 2))) static void say(const char *format, ...)
{
	char line[200];
	va_list list;

	va_start(list, format);
	int size = vsnprintf(line, sizeof(line), format, list);

	va_end(list);
	syscall(SYS_write, 1, line, size);
}

static void clone_thread(struct cloned *thread, int (*function)(void *), void *argument)
{
	char *stack = mmap(NULL, CLONE_STACK, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

	must(stack != MAP_FAILED);
	thread->alive = 1;
	thread->id = clone(function, stack + CLONE_STACK,
		CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM |
			CLONE_CHILD_CLEARTID,
		argument, NULL, NULL, &thread->alive);
	must(thread->id > 0);
}

static void wait_for_thread(struct cloned *thread)
{
	while (__atomic_load_n(&thread->alive, __ATOMIC_ACQUIRE))
		syscall(SYS_futex, &thread->alive, FUTEX_WAIT, 1, NULL, NULL, 0);
}

#endif
