/* System calls work, and end with the flag as it was, while the program has its alignment check
 * flag set. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define ALIGNMENT_CHECK 0x40000

static volatile int handled;

static void handler(int number)
{
	(void)number;
	handled++;
}

static long flags(void)
{
	long value;
	__asm__ volatile("pushf; popq %0" : "=r"(value)::"memory");
	return value;
}

static void set_flags(long value)
{
	__asm__ volatile("pushq %0; popf" ::"r"(value) : "memory", "cc");
}

/* With the flag set, and only around the call: the C library does not care for alignment. */
static long checked(long number, long a, long b, long c)
{
	long result, before = flags();
	set_flags(before | ALIGNMENT_CHECK);
	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c)
			 : "rcx", "r11", "memory");
	long after = flags();
	set_flags(before);
	expect_true("the flag is kept", (after & ALIGNMENT_CHECK) != 0);
	return result;
}

int main(void)
{
	static char entries[5000];
	struct stat status;
	struct sigaction action = { .sa_handler = handler };
	int directory = open("/proc/self/fd", O_RDONLY);
	must(directory >= 0 && sigaction(SIGUSR1, &action, NULL) == 0);
	expect_true("open", checked(SYS_open, (long)"/proc/self/exe", O_RDONLY, 0) > 0);
	expect("stat", checked(SYS_stat, (long)"/usr/bin", (long)&status, 0), 0);
	expect("stat of a name like the loader's",
		checked(SYS_stat, (long)"/usr/lib/ld-x", (long)&status, 0), -ENOENT);
	expect("kill", checked(SYS_kill, getpid(), SIGUSR1, 0), 0);
	expect("handled", handled, 1);
	expect("rt_sigaction", checked(SYS_rt_sigaction, SIGUSR2, 0, 0), -EINVAL);
	expect_true("getdents64 to an odd address",
		checked(SYS_getdents64, directory, (long)entries + 1, 4000) > 0);
	expect_true("mmap", checked(SYS_mmap, 0, 4096, 5) != 0);
	pid_t child = (pid_t)checked(SYS_fork, 0, 0, 0);
	if (child == 0)
		_exit(7);
	int ended;
	must(waitpid(child, &ended, 0) == child);
	expect("fork's child", WEXITSTATUS(ended), 7);
	return verdict();
}
