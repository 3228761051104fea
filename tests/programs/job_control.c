/* Stops and continues, as a shell sees them. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile int continued;

static void on_continue(int number)
{
	(void)number;
	continued = 1;
}

/* Says that it is ready, waits for SIGCONT, and then for the other end of the pipe to close. */
static void child_life(int ready, int leave)
{
	char byte;
	signal(SIGCONT, on_continue);
	must(write(ready, "r", 1) == 1);
	while (!continued)
		pause();
	while (read(leave, &byte, 1) < 0)
		;
	_exit(23);
}

static void stop_and_continue(int number)
{
	int ends[2], leave[2], status;
	char byte;
	must(pipe(ends) == 0 && pipe(leave) == 0);
	pid_t child = fork();
	if (child == 0) {
		setpgid(0, 0);
		close(leave[1]);
		child_life(ends[1], leave[0]);
	}
	must(read(ends[0], &byte, 1) == 1);
	kill(child, number);
	expect_true("WUNTRACED", waitpid(child, &status, WUNTRACED) == child);
	expect("stopped", WIFSTOPPED(status), 1);
	expect("by", WSTOPSIG(status), number);
	expect("nothing new", waitpid(child, &status, WUNTRACED | WNOHANG), 0);
	kill(child, SIGCONT);
	expect_true("WCONTINUED", waitpid(child, &status, WCONTINUED) == child);
	expect("continued", WIFCONTINUED(status), 1);
	close(leave[1]);
	expect_true("its end", waitpid(child, &status, 0) == child);
	expect("its status", WEXITSTATUS(status), 23);
	close(ends[0]);
	close(ends[1]);
	close(leave[0]);
}

static void kill_while_stopped(void)
{
	siginfo_t info;
	pid_t child = fork();
	if (child == 0) {
		raise(SIGSTOP);
		_exit(0);
	}
	must(waitid(P_PID, child, &info, WSTOPPED | WNOWAIT) == 0);
	expect("waitid, WNOWAIT: code", info.si_code, CLD_STOPPED);
	must(waitid(P_PID, child, &info, WSTOPPED) == 0);
	expect("waitid again: status", info.si_status, SIGSTOP);
	kill(child, SIGTERM);
	kill(child, SIGKILL);
	must(waitid(P_PID, child, &info, WEXITED) == 0);
	expect("a stopped process can be killed", info.si_status, SIGKILL);
}

static void stop_a_group(void)
{
	int status;
	pid_t leader = fork();
	if (leader == 0) {
		setpgid(0, 0);
		pid_t member = fork();
		if (member == 0) {
			for (;;)
				pause();
		}
		for (;;)
			pause();
	}
	setpgid(leader, leader);
	usleep(20000);
	must(kill(-leader, SIGSTOP) == 0);
	expect_true("a group stops",
		waitpid(-leader, &status, WUNTRACED) == leader && WIFSTOPPED(status));
	must(kill(-leader, SIGKILL) == 0);
	must(waitpid(leader, &status, 0) == leader);
	expect("and dies", WTERMSIG(status), SIGKILL);
}

int main(void)
{
	stop_and_continue(SIGSTOP);
	stop_and_continue(SIGTSTP);
	stop_and_continue(SIGTTIN);
	kill_while_stopped();
	stop_a_group();
	return verdict();
}
