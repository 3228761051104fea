/* stops: a child is stopped until it is told to go on.
 * kill with each of the 64 signals does to a child what Linux does: ends it, stops it, or nothing;
 * and a handler is told who sent it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static volatile sig_atomic_t seen, code, sender;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)context;
	seen = number;
	code = info->si_code;
	sender = info->si_pid;
}

/*
 * A child that is surely there, and waits. It has a process group of its own: in one that nobody of
 * its session looks after, as the caller's may be, a terminal's signals stop nobody. Nor does it
 * ignore what a shell lets the programs in its background ignore.
 */
static pid_t waiting_child(int number)
{
	int ends[2];
	char byte;

	must(pipe(ends) == 0);
	pid_t child = fork();

	if (child == 0) {
		must(setpgid(0, 0) == 0);
		must(signal(number, SIG_DFL) != SIG_ERR || errno == EINVAL);
		must(write(ends[1], "!", 1) == 1);
		for (;;)
			pause();
	}
	must(child > 0 && read(ends[0], &byte, 1) == 1);
	close(ends[0]);
	close(ends[1]);
	return child;
}

static int stops(int number)
{
	return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

static int does_nothing(int number)
{
	return number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
}

static void by_default(int number)
{
	pid_t child = waiting_child(number);
	int status;

	must(kill(child, number) == 0);
	printf("%d: child %d", number, child);
	if (stops(number)) {
		must(waitpid(child, &status, WUNTRACED) == child && WIFSTOPPED(status));
		must(kill(child, SIGCONT) == 0);
		printf(", stopped by %d", WSTOPSIG(status));
		must(waitpid(child, &status, WCONTINUED) == child && WIFCONTINUED(status));
		printf(", continued");
	}
	/* Not to others: of two that are pending, SIGKILL is the one that a process dies of. */
	if (stops(number) || does_nothing(number))
		must(kill(child, SIGKILL) == 0);
	must(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
	printf(", died of %d\n", WTERMSIG(status));
}

static void handled(int number)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	sigset_t all, none;

	/* The C library keeps the first two real-time signals for itself. */
	if (sigaction(number, &action, NULL) != 0) {
		printf("%d: no handler\n", number);
		return;
	}
	seen = 0;
	must(kill(getpid(), number) == 0);
	printf("%d: handler: %d, code %d, from %d", number, seen, code, sender);
	sigfillset(&all);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &all, NULL);
	pid_t child = fork();

	if (child == 0) {
		must(kill(getppid(), number) == 0);
		_exit(0);
	}
	while (sender != child || seen != number)
		sigsuspend(&none);
	printf(" and %d\n", sender);
	must(waitpid(child, NULL, 0) == child);
	sigprocmask(SIG_SETMASK, &none, NULL);
	must(signal(number, SIG_DFL) != SIG_ERR);
}

int main(void)
{
	must(kill(getpid(), 0) == 0);
	must(kill(99999, 0) == -1 && errno == ESRCH);
	must(kill(getpid(), 65) == -1 && errno == EINVAL);
	for (int number = 1; number <= 64; number++)
		by_default(number);
	for (int number = 1; number <= 64; number++)
		handled(number);
	return 0;
}
