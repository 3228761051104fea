/* The rules of sigaltstack, and the frame really lies where it was asked for. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31)
#endif

static sigjmp_buf back;
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

/* What a handler does to uc_stack counts when it returns; what it cannot ask for is passed over. */
static void zero_the_saved(int number, siginfo_t *info, void *context)
{
	ucontext_t *state = context;
	(void)number, (void)info;
	memset(&state->uc_stack, 0, sizeof(state->uc_stack));
}

static void leave_by_jump(int number)
{
	(void)number;
	siglongjmp(back, 1);
}

static void expect_now(const char *what, int flags, size_t size)
{
	stack_t now;
	sigaltstack(NULL, &now);
	printf("%s\n", what);
	expect_true("flags", now.ss_flags == flags);
	expect("size", (long)now.ss_size, (long)size);
}

static void check_returning(void)
{
	stack_t stack = { .ss_sp = first, .ss_size = sizeof(first), .ss_flags = SS_ONSTACK };
	struct sigaction zero = { .sa_sigaction = zero_the_saved,
		.sa_flags = SA_SIGINFO | SA_ONSTACK },
			 jump = { .sa_handler = leave_by_jump, .sa_flags = SA_ONSTACK };
	must(sigaction(SIGUSR1, &zero, NULL) == 0 && sigaction(SIGUSR2, &jump, NULL) == 0);

	must(sigaltstack(&stack, NULL) == 0);
	expect_now("SS_ONSTACK is no setting", 0, sizeof(first));
	raise(SIGUSR1);
	expect_now("after a handler zeroed uc_stack", 0, sizeof(first));
	if (!sigsetjmp(back, 1))
		raise(SIGUSR2);
	expect_now("after a jump out of a handler", 0, sizeof(first));

	stack.ss_flags = (int)SS_AUTODISARM;
	must(sigaltstack(&stack, NULL) == 0);
	expect_now("SS_AUTODISARM is kept", (int)SS_AUTODISARM, sizeof(first));
	raise(SIGUSR1);
	expect_now("SS_AUTODISARM, after a handler zeroed uc_stack", SS_DISABLE, 0);
	must(sigaltstack(&stack, NULL) == 0);
	if (!sigsetjmp(back, 1))
		raise(SIGUSR2);
	expect_now("SS_AUTODISARM, after a jump out of a handler", SS_DISABLE, 0);

	stack.ss_flags = SS_DISABLE | SS_ONSTACK;
	expect_errno("SS_DISABLE with SS_ONSTACK", sigaltstack(&stack, NULL), EINVAL);
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
	check_returning();
	stack_t stack = { .ss_sp = first, .ss_size = sizeof(first) };
	must(sigaltstack(&stack, NULL) == 0);
	if (check_failures)
		return verdict();
	execl(argv[0], argv[0], "after exec", NULL);
	must(!"exec");
}
