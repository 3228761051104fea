/* Masks, pending signals and actions over threads, fork and exec. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static volatile int calls;

static void count(int number)
{
	(void)number;
	calls++;
}

static int blocked(int number)
{
	sigset_t now;
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, number);
}

static int pending(int number)
{
	sigset_t now;
	sigpending(&now);
	return sigismember(&now, number);
}

static void *in_thread(void *unused)
{
	(void)unused;
	expect("a thread inherits the mask", blocked(SIGUSR1), 1);
	expect("what is pending for the process shows in it", pending(SIGUSR1), 1);
	return NULL;
}

static int after_exec(void)
{
	struct sigaction now;
	expect("after exec: blocked", blocked(SIGUSR1), 1);
	expect("after exec: pending", pending(SIGUSR1), 1);
	sigaction(SIGUSR1, NULL, &now);
	expect_true("after exec: the handler is the default", now.sa_handler == SIG_DFL);
	sigaction(SIGUSR2, NULL, &now);
	expect_true("after exec: ignored stays ignored", now.sa_handler == SIG_IGN);
	return verdict();
}

static void check_blocking(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	signal(SIGUSR1, count);
	must(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	raise(SIGUSR1);
	raise(SIGUSR1);
	expect("calls while blocked", calls, 0);
	must(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
	expect("calls at unblocking: standard signals do not queue", calls, 1);
	sigfillset(&set);
	must(sigprocmask(SIG_SETMASK, &set, NULL) == 0);
	expect("SIGKILL cannot be blocked", blocked(SIGKILL), 0);
	expect("SIGSEGV shows as blocked", blocked(SIGSEGV), 1);
	expect("SIGSYS shows as blocked", blocked(SIGSYS), 1);
	expect("SIGILL shows as blocked", blocked(SIGILL), 1);
	expect_errno("a wrong how", sigprocmask(77, &set, NULL), EINVAL);
	sigemptyset(&set);
	must(sigprocmask(SIG_SETMASK, &set, NULL) == 0);
}

static void check_fork(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		expect("fork keeps the mask", blocked(SIGUSR1), 1);
		expect("fork drops what is pending", pending(SIGUSR1), 0);
		_exit(verdict());
	}
	must(waitpid(child, &status, 0) == child);
	expect("child's status", status, 0);
}

int main(int argc, char **argv)
{
	pthread_t thread;
	sigset_t set;
	if (argc > 1)
		return after_exec();
	check_blocking();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	must(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	kill(getpid(), SIGUSR1);
	signal(SIGUSR2, SIG_IGN);
	must(pthread_create(&thread, NULL, in_thread, NULL) == 0);
	pthread_join(thread, NULL);
	check_fork();
	if (check_failures)
		return verdict();
	execl(argv[0], argv[0], "again", NULL);
	must(!"exec");
}
