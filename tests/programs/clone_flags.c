/* clone and clone3 by hand: what is shared is what the flags say. */
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define STACK_BYTES 65536
static volatile int value;
static int fd;

static int child(void *unused)
{
	(void)unused;
	value = 8;
	close(fd);
	return chdir("/") == 0 ? 11 : 1;
}

static void ignore_it(int number)
{
	(void)number;
}

static void check_clone(const char *what, int flags, int memory, int files, int directory)
{
	char before[4096], now[4096];
	int status;
	char *stack =
		mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(stack != MAP_FAILED && getcwd(before, sizeof(before)));
	value = 1;
	fd = open("/dev/null", O_RDONLY);
	pid_t pid = clone(child, stack + STACK_BYTES, flags | SIGCHLD, NULL);
	must(waitpid(pid, &status, 0) == pid);
	printf("%s: ", what);
	expect("status", WEXITSTATUS(status), 11);
	expect("memory shared", value == 8, memory);
	expect("descriptors shared", fcntl(fd, F_GETFD) == -1, files);
	must(getcwd(now, sizeof(now)));
	expect("directory shared", strcmp(now, "/") == 0, directory);
	must(chdir(before) == 0);
	if (!files)
		close(fd);
	munmap(stack, STACK_BYTES);
}

static void check_clone3(void)
{
	int pidfd = -1, status;
	pid_t parent_tid = 0;
	struct clone_args arguments = {
		.flags = CLONE_PIDFD | CLONE_PARENT_SETTID,
		.pidfd = (unsigned long)&pidfd,
		.parent_tid = (unsigned long)&parent_tid,
		.exit_signal = SIGCHLD,
	};
	long pid = syscall(SYS_clone3, &arguments, sizeof(arguments));
	if (pid == 0)
		_exit(12);
	expect_true("clone3", pid > 0);
	expect_true("parent_tid", parent_tid == pid);
	struct pollfd ready = { .fd = pidfd, .events = POLLIN };
	expect("poll of the pidfd", poll(&ready, 1, 10000), 1);
	siginfo_t info;
	expect("waitid(P_PIDFD)", waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED), 0);
	expect("its status", info.si_status, 12);
	close(pidfd);

	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, ignore_it);
	struct clone_args clear = { .flags = CLONE_CLEAR_SIGHAND, .exit_signal = SIGCHLD };
	pid = syscall(SYS_clone3, &clear, sizeof(clear));
	if (pid == 0) {
		struct sigaction one, two;
		sigaction(SIGUSR1, NULL, &one);
		sigaction(SIGUSR2, NULL, &two);
		_exit((one.sa_handler == SIG_IGN) + 2 * (two.sa_handler == SIG_DFL));
	}
	must(waitpid((pid_t)pid, &status, 0) == pid);
	expect("CLONE_CLEAR_SIGHAND", WEXITSTATUS(status), 3);
	struct clone_args wrong = { .flags = CLONE_THREAD };
	expect_errno("CLONE_THREAD alone", syscall(SYS_clone3, &wrong, sizeof(wrong)), EINVAL);
	expect_errno("too small", syscall(SYS_clone3, &wrong, 8), EINVAL);
}

/* A child with another exit signal is seen only by __WCLONE and __WALL. */
static void check_exit_signal(void)
{
	int status;
	pid_t pid = (pid_t)syscall(SYS_clone, SIGUSR1, 0, 0, 0, 0);
	if (pid == 0)
		_exit(2);
	expect_errno("wait without __WALL", waitpid(pid, &status, 0), ECHILD);
	expect_true("wait with __WALL", waitpid(pid, &status, __WALL) == pid);
	expect("its status", WEXITSTATUS(status), 2);
}

int main(void)
{
	check_clone("nothing", 0, 0, 0, 0);
	check_clone("CLONE_VM", CLONE_VM, 1, 0, 0);
	check_clone("CLONE_FILES", CLONE_FILES, 0, 1, 0);
	check_clone("CLONE_FS", CLONE_FS, 0, 0, 1);
	check_clone("all, as vfork", CLONE_VM | CLONE_FILES | CLONE_FS | CLONE_VFORK, 1, 1, 1);
	check_clone3();
	check_exit_signal();
	return verdict();
}
