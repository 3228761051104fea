/* A bad pointer gives EFAULT, whichever call it is handed to; never a crash. */
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysinfo.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static long bad;
static int data, listener;

#define CALL(number, ...)                                                                          \
	expect_errno(#number " " #__VA_ARGS__, syscall(SYS_##number, __VA_ARGS__), EFAULT)

static void check_files(void)
{
	CALL(read, data, bad, 10);
	CALL(pread64, data, bad, 10, 0);
	CALL(open, bad, O_RDONLY);
	CALL(openat, AT_FDCWD, bad, O_RDONLY, 0);
	CALL(stat, bad, bad);
	CALL(stat, "/", bad);
	CALL(fstat, data, bad);
	CALL(newfstatat, AT_FDCWD, "/", bad, 0);
	CALL(statx, AT_FDCWD, "/", 0, STATX_ALL, bad);
	CALL(statfs, "/", bad);
	CALL(access, bad, F_OK);
	CALL(getcwd, bad, 4096);
	CALL(chdir, bad);
	CALL(mkdir, bad, 0700);
	CALL(rename, bad, "x");
	CALL(unlink, bad);
	CALL(readlink, "/proc/self/exe", bad, 100);
	CALL(readv, data, bad, 1);
	CALL(getdents64, open("/", O_RDONLY | O_DIRECTORY), bad, 4096);
	CALL(pipe2, bad, 0);
	CALL(fcntl, data, F_GETLK, bad);
	CALL(getxattr, bad, "user.x", 0, 0);
	CALL(utimensat, AT_FDCWD, ".", bad, 0);
}

static void check_write(void)
{
	int ends[2];
	struct iovec vector = { (void *)bad, 10 };
	must(pipe(ends) == 0);
	CALL(write, ends[1], bad, 10);
	CALL(writev, ends[1], &vector, 1);
	CALL(writev, ends[1], bad, 1);
	CALL(sendto, listener, bad, 10, 0, 0, 0);
	CALL(sendmsg, listener, bad, 0);
	CALL(recvmsg, listener, bad, MSG_DONTWAIT);
	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, bad);
	CALL(getsockname, listener, bad, bad);
}

static void check_processes(void)
{
	char *words[] = { "x", NULL };
	CALL(execve, bad, words, words);
	CALL(execve, "/bin/true", bad, words);
	CALL(execve, "/bin/true", words, bad);
	CALL(execveat, AT_FDCWD, bad, words, words, 0);
	CALL(uname, bad);
	CALL(getrlimit, RLIMIT_NOFILE, bad);
	CALL(setrlimit, RLIMIT_NOFILE, bad);
	CALL(prlimit64, 0, RLIMIT_NOFILE, 0, bad);
	CALL(getrusage, RUSAGE_SELF, bad);
	CALL(sysinfo, bad);
	CALL(times, bad);
	CALL(sched_getaffinity, 0, 8, bad);
	CALL(clone3, bad, 64);
	CALL(clone3, bad, 88);
	pid_t child = fork();
	if (child == 0)
		_exit(0);
	CALL(wait4, child, bad, 0, 0);
}

static void check_signals(void)
{
	CALL(rt_sigaction, SIGUSR1, bad, 0, 8);
	CALL(rt_sigaction, SIGUSR1, 0, bad, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, bad, 0, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, 0, bad, 8);
	CALL(rt_sigpending, bad, 8);
	CALL(rt_sigsuspend, bad, 8);
	CALL(rt_sigtimedwait, bad, 0, 0, 8);
	CALL(rt_sigqueueinfo, getpid(), SIGUSR1, bad);
	CALL(sigaltstack, bad, 0);
	CALL(sigaltstack, 0, bad);
	CALL(signalfd4, -1, bad, 8, 0);
	CALL(setitimer, 0, bad, 0);
	CALL(getitimer, 0, bad);
	CALL(timer_create, CLOCK_MONOTONIC, 0, bad);
}

static void check_time_and_waiting(void)
{
	static int word;
	int epoll = epoll_create1(0);
	CALL(clock_gettime, CLOCK_REALTIME, bad);
	CALL(clock_getres, CLOCK_REALTIME, bad);
	CALL(gettimeofday, bad, 0);
	CALL(time, bad);
	CALL(nanosleep, bad, 0);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, 0, bad, 0);
	CALL(poll, bad, 1, 0);
	CALL(ppoll, bad, 1, 0, 0, 8);
	CALL(select, 5, bad, 0, 0, 0);
	CALL(epoll_ctl, epoll, EPOLL_CTL_ADD, listener, bad);
	CALL(futex, bad, 0, 0, 0, 0, 0);
	CALL(futex, &word, 0, 0, bad, 0, 0);
	CALL(getrandom, bad, 16, 0);
	CALL(getcpu, bad, 0, 0);
}

int main(void)
{
	void *hole = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int pair[2];
	must(hole != MAP_FAILED);
	data = open("/proc/self/exe", O_RDONLY);
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	listener = pair[0];
	must(write(pair[1], "0123456789", 10) == 10);
	long kinds[] = { (long)hole, 8, (long)0xffffffff80000000ul, 0x7ffffffff000 };
	for (int i = 0; i < 4; i++) {
		bad = kinds[i];
		printf("kind %d\n", i);
		check_files();
		check_write();
		check_processes();
		check_signals();
		check_time_and_waiting();
	}
	return verdict();
}
