/* The rules of sigaltstack, and the frame really lies where it was asked for. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif

static char first[65536], second[65536];
static volatile int flags_inside, change_inside_errno;

static void look(int number)
{
	stack_t now, other = { .ss_sp = second, .ss_size = sizeof(second) };
	(void)number;
	sigaltstack(NULL, &now);
	flags_inside = now.ss_flags;
	change_inside_errno = sigaltstack(&other, NULL) == 0 ? 0 : errno;
}

static void check_small(void)
{
	stack_t small = { .ss_sp = first, .ss_size = 1024 };
	expect_errno("a stack of 1024 bytes", sigaltstack(&small, NULL), ENOMEM);
	stack_t strange = { .ss_sp = first, .ss_size = sizeof(first), .ss_flags = 0x40 };
	expect_errno("unknown flags", sigaltstack(&strange, NULL), EINVAL);
}

static void *in_thread(void *unused)
{
	stack_t now;
	(void)unused;
	sigaltstack(NULL, &now);
	expect("a thread has none", now.ss_flags, SS_DISABLE);
	return NULL;
}

static void check_inheritance(void)
{
	int status;
	pthread_t thread;
	must(pthread_create(&thread, NULL, in_thread, NULL) == 0);
	pthread_join(thread, NULL);
	pid_t child = fork();
	if (child == 0) {
		stack_t now;
		sigaltstack(NULL, &now);
		expect_true("a forked child keeps it",
			now.ss_sp == first && now.ss_size == sizeof(first));
		_exit(verdict());
	}
	must(waitpid(child, &status, 0) == child);
	expect("child's status", status, 0);
}

static void check_use(void)
{
	stack_t stack = { .ss_sp = first, .ss_size = sizeof(first) }, now;
	struct sigaction action = { .sa_handler = look, .sa_flags = SA_ONSTACK };
	must(sigaction(SIGUSR1, &action, NULL) == 0);
	must(sigaltstack(&stack, NULL) == 0);
	sigaltstack(NULL, &now);
	expect("flags before", now.ss_flags, 0);
	raise(SIGUSR1);
	expect("flags inside the handler", flags_inside, SS_ONSTACK);
	expect("a change inside the handler", change_inside_errno, EPERM);
	check_inheritance();

	stack.ss_flags = (int)SS_AUTODISARM;
	must(sigaltstack(&stack, NULL) == 0);
	raise(SIGUSR1);
	expect("SS_AUTODISARM: flags inside", flags_inside, SS_DISABLE);
	expect("SS_AUTODISARM: a change inside", change_inside_errno, 0);
	sigaltstack(NULL, &now);
	expect_true("and the old one is back afterwards", now.ss_sp == first);

	stack.ss_flags = SS_DISABLE;
	must(sigaltstack(&stack, NULL) == 0);
	sigaltstack(NULL, &now);
	expect("disabled", now.ss_flags, SS_DISABLE);
	raise(SIGUSR1);
	expect("the handler then runs on the normal stack", flags_inside, SS_DISABLE);
}

int main(int argc, char **argv)
{
	stack_t now;
	sigaltstack(NULL, &now);
	expect("at the start", now.ss_flags, SS_DISABLE);
	if (argc > 1)
		return verdict();
	check_small();
	check_use();
	stack_t stack = { .ss_sp = first, .ss_size = sizeof(first) };
	must(sigaltstack(&stack, NULL) == 0);
	if (check_failures)
		return verdict();
	execl(argv[0], argv[0], "after exec", NULL);
	must(!"exec");
}
