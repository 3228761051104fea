/* SIGSEGV and SIGBUS stay ignored over exec when they are sent; a real fault ends the program all
 * the same. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void check_disposition(int number, const char *name)
{
	struct sigaction now;
	must(sigaction(number, NULL, &now) == 0);
	expect_true(name, now.sa_handler == SIG_IGN);
}

static int second_life(void)
{
	int status;
	check_disposition(SIGSEGV, "SIGSEGV is ignored");
	check_disposition(SIGBUS, "SIGBUS is ignored");
	expect("SIGSEGV sent", kill(getpid(), SIGSEGV), 0);
	expect("SIGBUS sent", kill(getpid(), SIGBUS), 0);
	pid_t child = fork();
	if (child == 0) {
		*(volatile int *)8 = 1;
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child);
	expect("a real fault: killed by", WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGSEGV);
	return verdict();
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return second_life();
	must(signal(SIGSEGV, SIG_IGN) != SIG_ERR && signal(SIGBUS, SIG_IGN) != SIG_ERR);
	execl(argv[0], argv[0], "second life", NULL);
	must(!"exec");
}
