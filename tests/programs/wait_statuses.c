/* Every way in which a process ends, as its parent sees it. */
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void check_exits(void)
{
	int status;
	for (int code = 0; code < 256; code += 51) {
		pid_t child = fork();
		if (child == 0)
			_exit(code);
		must(waitpid(child, &status, 0) == child);
		expect("exit status", status, code << 8);
	}
	pid_t child = fork();
	if (child == 0)
		syscall(SYS_exit, 17);
	must(waitpid(child, &status, 0) == child);
	expect("exit of the only thread", WEXITSTATUS(status), 17);
}

static void check_signals(void)
{
	int status;
	for (int number = 1; number <= 64; number++) {
		if (number == 32 || number == 33)
			continue;
		pid_t child = fork();
		if (child == 0) {
			setpgid(0, 0); /* terminal stops do nothing in an orphaned group */
			signal(number, SIG_DFL);
			kill(getpid(), number);
			_exit(0);
		}
		must(waitpid(child, &status, WUNTRACED) == child);
		if (WIFSTOPPED(status)) {
			printf("signal %d: stopped\n", number);
			kill(child, SIGKILL);
			must(waitpid(child, &status, 0) == child);
		} else if (WIFSIGNALED(status)) {
			printf("signal %d: killed\n", WTERMSIG(status));
			if (WTERMSIG(status) != number)
				expect("killed by", WTERMSIG(status), number);
		} else {
			printf("signal %d: ignored\n", number);
		}
	}
}

static void check_waiting(void)
{
	int status;
	struct rusage usage;
	expect_errno("wait without children", wait(&status), ECHILD);
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	expect("WNOHANG", waitpid(child, &status, WNOHANG), 0);
	expect_errno("a stranger", waitpid(1, &status, 0), ECHILD);
	expect_errno("wrong options", waitpid(child, &status, 0x1000), EINVAL);
	kill(child, SIGTERM);
	expect_true("wait4", wait4(child, &status, 0, &usage) == child);
	expect("killed by", WTERMSIG(status), SIGTERM);
	expect_true("its usage is sane", usage.ru_utime.tv_sec == 0 && usage.ru_maxrss >= 0);
	expect_errno("kill of one that has been waited for", kill(child, 0), ESRCH);
}

/* An orphan goes to the nearest process that asked for orphans. */
static void check_orphans(void)
{
	int status, ends[2];
	must(pipe(ends) == 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0);
	pid_t child = fork();
	if (child == 0) {
		pid_t grandchild = fork();
		if (grandchild == 0) {
			char byte;
			close(ends[1]);
			must(read(ends[0], &byte, 1) == 0);
			_exit(21);
		}
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child);
	close(ends[1]);
	must(wait(&status) > 0);
	expect("an orphan's status", WEXITSTATUS(status), 21);
	must(prctl(PR_SET_CHILD_SUBREAPER, 0) == 0);
}

static void check_pidfd(void)
{
	siginfo_t info;
	pid_t child = fork();
	if (child == 0) {
		for (;;)
			pause();
	}
	int pidfd = (int)syscall(SYS_pidfd_open, child, 0);
	expect_true("pidfd_open", pidfd >= 0);
	expect("pidfd_send_signal", syscall(SYS_pidfd_send_signal, pidfd, SIGTERM, NULL, 0), 0);
	must(waitid(P_PIDFD, (id_t)pidfd, &info, WEXITED) == 0);
	expect("killed by", info.si_status, SIGTERM);
	expect_errno("once more", syscall(SYS_pidfd_send_signal, pidfd, SIGTERM, NULL, 0), ESRCH);
}

static void check_parent_death(void)
{
	int ends[2];
	char byte;
	must(pipe(ends) == 0);
	pid_t child = fork();
	if (child == 0) {
		if (fork() == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			must(write(ends[1], "r", 1) == 1);
			for (;;)
				pause();
		}
		pause();
	}
	close(ends[1]);
	must(read(ends[0], &byte, 1) == 1);
	kill(child, SIGKILL);
	must(waitpid(child, NULL, 0) == child);
	expect("PR_SET_PDEATHSIG ended the grandchild", read(ends[0], &byte, 1), 0);
}

int main(void)
{
	check_exits();
	check_signals();
	check_waiting();
	check_orphans();
	check_pidfd();
	check_parent_death();
	return verdict();
}
