/* SIGSEGV and SIGBUS, sent while blocked, wait like any other signal: each until it is wanted. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile int segv_calls, bus_calls;
static sigset_t both, none;

static void handler(int number)
{
	if (number == SIGSEGV)
		segv_calls++;
	else
		bus_calls++;
}

static int pending(int number)
{
	sigset_t now;
	must(sigpending(&now) == 0);
	return sigismember(&now, number);
}

static void expect_pending(int segv, int bus)
{
	expect("SIGSEGV pending", pending(SIGSEGV), segv);
	expect("SIGBUS pending", pending(SIGBUS), bus);
}

static void expect_calls(int segv, int bus)
{
	expect("SIGSEGV handled", segv_calls, segv);
	expect("SIGBUS handled", bus_calls, bus);
	segv_calls = bus_calls = 0;
}

static void check_unblocking(void)
{
	raise(SIGSEGV);
	raise(SIGBUS);
	raise(SIGBUS);
	expect_pending(1, 1);
	expect_calls(0, 0);
	sigprocmask(SIG_SETMASK, &none, NULL);
	expect_calls(1, 1);
	sigprocmask(SIG_SETMASK, &both, NULL);
	expect_pending(0, 0);
}

static void check_suspending(void)
{
	raise(SIGSEGV);
	expect_errno("sigsuspend", sigsuspend(&none), EINTR);
	expect_calls(1, 0);
	expect_pending(0, 0);
}

static void check_waiting(void)
{
	int number;
	siginfo_t info;
	kill(getpid(), SIGSEGV);
	must(sigwait(&both, &number) == 0);
	expect("sigwait", number, SIGSEGV);
	pid_t parent = getpid(), child = fork();
	if (child == 0) {
		usleep(10000);
		kill(parent, SIGBUS);
		_exit(0);
	}
	expect("sigwaitinfo", sigwaitinfo(&both, &info), SIGBUS);
	expect("code", info.si_code, SI_USER);
	expect_true("sender", info.si_pid == child);
	must(waitpid(child, NULL, 0) == child);
	expect_pending(0, 0);
	expect_calls(0, 0);
}

static void check_fork(void)
{
	int status;
	raise(SIGBUS);
	pid_t child = fork();
	if (child == 0) {
		expect_pending(0, 0);
		sigprocmask(SIG_SETMASK, &none, NULL);
		expect_calls(0, 0);
		_exit(verdict());
	}
	must(waitpid(child, &status, 0) == child);
	expect("child's status", status, 0);
	expect_pending(0, 1);
	sigprocmask(SIG_SETMASK, &none, NULL);
	expect_calls(0, 1);
}

int main(void)
{
	struct sigaction action = { .sa_handler = handler };
	must(sigaction(SIGSEGV, &action, NULL) == 0 && sigaction(SIGBUS, &action, NULL) == 0);
	sigemptyset(&none);
	sigemptyset(&both);
	sigaddset(&both, SIGSEGV);
	sigaddset(&both, SIGBUS);
	alarm(20); /* a signal that is lost must not mean a wait for ever */
	sigprocmask(SIG_SETMASK, &both, NULL);
	check_unblocking();
	check_suspending();
	check_waiting();
	check_fork();
	return verdict();
}
