/* Every form of waiting for children, as to whom it finds first and what it says. */
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "contend.h"

static pid_t pids[6];

static int number_of(pid_t pid)
{
	for (int i = 0; i < 6; i++)
		if (pids[i] == pid)
			return i;
	return -1;
}

static void start(int count)
{
	fflush(stdout);
	for (int i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			setpgid(0, i % 2 ? 0 : getppid());
			compute(5 + 60 * (unsigned)((i * 3) % 5));
			usleep(1000 * (unsigned)((i * 5) % 4));
			_exit(i);
		}
		setpgid(pids[i], i % 2 ? pids[i] : getpid());
	}
}

static void tell_wait(const char *how, pid_t pid, int status)
{
	printf("%s: child %d, status %x\n", how, number_of(pid), (unsigned)status);
}

static void tell_info(const char *how, int r, const siginfo_t *info)
{
	printf("%s: %d, child %d, code %d, status %d\n", how, r, number_of(info->si_pid),
		info->si_code, info->si_status);
}

static void by_number(void)
{
	int status;

	start(6);
	for (int i = 5; i >= 0; i--) {
		pid_t pid = waitpid(pids[i], &status, i % 2 ? 0 : __WALL);

		tell_wait("that one", pid, status);
	}
	TELL(waitpid(pids[0], &status, 0));
	TELL(waitpid(-1, &status, WNOHANG));
}

static void anyone(void)
{
	struct rusage usage;
	int status;
	pid_t pid;

	start(6);
	while ((pid = wait4(-1, &status, 0, &usage)) > 0)
		tell_wait("any", pid, status);
	start(6);
	while ((pid = waitpid(0, &status, 0)) > 0)
		tell_wait("own group", pid, status);
	while ((pid = waitpid(-pids[3], &status, 0)) > 0)
		tell_wait("group of 3", pid, status);
	while ((pid = waitpid(-1, &status, 0)) > 0)
		tell_wait("the others", pid, status);
}

static void asking(void)
{
	int status, tries = 0;
	pid_t pid;

	start(6);
	while ((pid = waitpid(-1, &status, WNOHANG)) >= 0) {
		if (pid)
			tell_wait("asked", pid, status);
		tries += !pid;
	}
	printf("asked in vain %d times\n", tries);
}

static void leaving(void)
{
	siginfo_t info = { 0 };
	int r;

	start(6);
	for (int i = 0; i < 3; i++) {
		r = waitid(P_ALL, 0, &info, WEXITED | WNOWAIT);
		tell_info("left", r, &info);
	}
	r = waitid(P_PGID, (id_t)pids[1], &info, WEXITED);
	tell_info("group of 1", r, &info);
	r = waitid(P_PID, (id_t)pids[4], &info, WEXITED | WNOWAIT);
	tell_info("left 4", r, &info);
	while (waitid(P_ALL, 0, &info, WEXITED) == 0)
		tell_info("taken", 0, &info);
	TELL(waitid(P_ALL, 0, &info, 0));
	TELL(waitid(P_ALL, 0, &info, 0x40 | WEXITED));
	TELL(waitid(77, 0, &info, WEXITED));
	TELL(waitpid(-1, NULL, 0x40));
	TELL(waitid(P_PID, (id_t)-1, &info, WEXITED));
}

static void stopping(void)
{
	siginfo_t info = { 0 };
	int status, r;

	fflush(stdout);
	pids[0] = fork();
	if (pids[0] == 0) {
		raise(SIGSTOP);
		usleep(1000);
		raise(SIGSTOP);
		raise(SIGTERM);
	}
	waitpid(pids[0], &status, WUNTRACED);
	tell_wait("stopped", pids[0], status);
	TELL(waitpid(pids[0], &status, WUNTRACED | WNOHANG));
	kill(pids[0], SIGCONT);
	waitpid(pids[0], &status, WCONTINUED);
	tell_wait("goes on", pids[0], status);
	r = waitid(P_PID, (id_t)pids[0], &info, WSTOPPED | WNOWAIT);
	tell_info("stopped", r, &info);
	r = waitid(P_ALL, 0, &info, WSTOPPED | WEXITED);
	tell_info("stopped", r, &info);
	kill(pids[0], SIGCONT);
	r = waitid(P_ALL, 0, &info, WCONTINUED);
	tell_info("goes on", r, &info);
	waitpid(pids[0], &status, 0);
	tell_wait("ended", pids[0], status);
}

static int clone_of_other_kind(void *argument)
{
	(void)argument;
	usleep(1000);
	return 9;
}

/* Children that send no SIGCHLD are waited for by those alone who say so. */
static void other_kinds(void)
{
	static char stack[65536];
	int status;
	pid_t pid;

	fflush(stdout);
	start(1);
	pids[1] = clone(clone_of_other_kind, stack + sizeof(stack), 0, NULL);
	pids[2] = clone(clone_of_other_kind, stack + sizeof(stack), SIGUSR1, NULL);
	signal(SIGUSR1, SIG_IGN);
	TELL(waitpid(pids[1], &status, WNOHANG));
	pid = waitpid(-1, &status, 0);
	tell_wait("plain", pid, status);
	TELL(waitpid(-1, &status, 0));
	pid = waitpid(pids[1], &status, __WCLONE);
	tell_wait("clone", pid, status);
	pid = waitpid(-1, &status, __WALL);
	tell_wait("all", pid, status);
	TELL(waitpid(-1, &status, __WALL));
}

int main(void)
{
	by_number();
	anyone();
	asking();
	leaving();
	stopping();
	other_kinds();
	return 0;
}
