/* Limits and priorities are constants whatever the caller has, and what a program sets is kept over
 * fork and exec. Does not differ natively: one caller has one set of limits. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const names[] = { "cpu", "fsize", "data", "stack", "core", "rss", "nproc",
	"nofile", "memlock", "as", "locks", "sigpending", "msgqueue", "nice", "rtprio", "rttime" };

static void show(int resource)
{
	struct rlimit limit;

	getrlimit(resource, &limit);
	printf("%s %lld %lld\n", names[resource], (long long)limit.rlim_cur,
		(long long)limit.rlim_max);
}

static void set(int resource, rlim_t soft, rlim_t hard)
{
	const struct rlimit limit = { soft, hard };

	printf("set %s %lld %lld: %s\n", names[resource], (long long)soft, (long long)hard,
		setrlimit(resource, &limit) ? strerrorname_np(errno) : "taken");
}

static void show_priorities(void)
{
	printf("nice %d, io %ld, policy %d\n", getpriority(PRIO_PROCESS, 0),
		syscall(SYS_ioprio_get, 1, 0), sched_getscheduler(0));
}

static void after_exec(void)
{
	show(RLIMIT_NOFILE);
	show(RLIMIT_STACK);
	show_priorities();
	printf("no new privileges: %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
}

static void show_prctl(void)
{
	printf("dumpable %d, slack %d, no new privileges %d, machine checks %d, securebits %d, "
	       "keepcaps %d, huge pages off %d\n",
		prctl(PR_GET_DUMPABLE), prctl(PR_GET_TIMERSLACK),
		prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_MCE_KILL_GET, 0, 0, 0, 0),
		prctl(PR_GET_SECUREBITS), prctl(PR_GET_KEEPCAPS),
		prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0));
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		after_exec();
		return 0;
	}
	setvbuf(stdout, NULL, _IONBF, 0);
	for (int i = 0; i < 16; i++)
		show(i);
	show_priorities();
	show_prctl();
	printf("umask %03o\n", umask(0));
	set(RLIMIT_NOFILE, 64, 128);
	set(RLIMIT_NOFILE, 64, 256);
	set(RLIMIT_NOFILE, 65, 64);
	for (int i = 0; i < 100; i++)
		if (dup(0) < 0) {
			printf("descriptor %d: %s\n", 3 + i, strerrorname_np(errno));
			break;
		}
	close(40);
	set(RLIMIT_STACK, 4 << 20, 16 << 20);
	set(RLIMIT_CORE, RLIM_INFINITY, RLIM_INFINITY);
	printf("nicer: %d\n", setpriority(PRIO_PROCESS, 0, 5));
	printf("less nice: %s\n",
		setpriority(PRIO_PROCESS, 0, 0) ? strerrorname_np(errno) : "taken");
	printf("io: %ld\n", syscall(SYS_ioprio_set, 1, 0, 3 << 13 | 7));
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (fork() == 0) {
		execl("/proc/self/exe", argv[0], "again", NULL);
		_exit(1);
	}
	wait(NULL);
	return 0;
}
