/* Every flag of sigaction does what signal(7) says. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* SA_RESTORER is the C library's own. SA_UNSUPPORTED (linux/signal.h) is never set, whatever else
 * comes. */
#define SA_RESTORER	    0x04000000
#define SA_UNSUPPORTED_FLAG 0x00000400
#define SA_UNKNOWN	    0x00008000
#define KNOWN_FLAGS                                                                                \
	(SA_NOCLDSTOP | SA_NOCLDWAIT | SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER |         \
		SA_RESETHAND)

static volatile int depth, deepest, raised, calls, on_stack, blocked_inside, info_signal;
static char stack[65536];

static void plain(int number)
{
	(void)number;
	calls++;
}

static void nested(int number)
{
	depth++;
	if (depth > deepest)
		deepest = depth;
	if (++raised < 3)
		raise(number);
	depth--;
}

static void look(int number, siginfo_t *info, void *context)
{
	char here;
	sigset_t now;
	(void)context;
	on_stack = &here >= stack && &here < stack + sizeof(stack);
	sigprocmask(SIG_BLOCK, NULL, &now);
	blocked_inside = sigismember(&now, number) + 2 * sigismember(&now, SIGUSR2);
	info_signal = info->si_signo;
}

static void set(int number, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
	must(sigaction(number, &action, NULL) == 0);
}

static void check_nesting(void)
{
	set(SIGUSR1, nested, SA_NODEFER);
	raise(SIGUSR1);
	expect("depth with SA_NODEFER", deepest, 3);
	deepest = raised = 0;
	set(SIGUSR1, nested, 0);
	raise(SIGUSR1);
	expect("depth without", deepest, 1);
}

static void check_reset(void)
{
	struct sigaction action = { .sa_handler = plain, .sa_flags = SA_RESETHAND | SA_RESTART },
			 now;
	calls = 0;
	sigaddset(&action.sa_mask, SIGUSR2);
	must(sigaction(SIGUSR1, &action, NULL) == 0);
	raise(SIGUSR1);
	must(sigaction(SIGUSR1, NULL, &now) == 0);
	expect("calls with SA_RESETHAND", calls, 1);
	expect_true("then the default", now.sa_handler == SIG_DFL);
	expect_true("with the flags as they were",
		(now.sa_flags & KNOWN_FLAGS) == (SA_RESETHAND | SA_RESTART));
	expect("and the mask", sigismember(&now.sa_mask, SIGUSR2), 1);
}

static int flags_read_back(int flags)
{
	struct sigaction now;
	set(SIGUSR1, plain, flags);
	must(sigaction(SIGUSR1, NULL, &now) == 0);
	return now.sa_flags & ~SA_RESTORER;
}

static void check_flags_read_back(void)
{
	expect_true("every known flag is read back",
		flags_read_back((int)KNOWN_FLAGS) == (int)KNOWN_FLAGS);
	expect("an unknown flag is cleared", flags_read_back(SA_UNKNOWN), 0);
	expect("SA_UNSUPPORTED is cleared", flags_read_back(SA_UNSUPPORTED_FLAG), 0);
}

static void check_stack_mask_and_info(void)
{
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = { .sa_sigaction = look, .sa_flags = SA_SIGINFO | SA_ONSTACK },
			 back;
	sigset_t after;
	must(sigaltstack(&alternate, NULL) == 0);
	sigaddset(&action.sa_mask, SIGUSR2);
	must(sigaction(SIGUSR1, &action, NULL) == 0);
	raise(SIGUSR1);
	expect("SA_ONSTACK: on the alternate stack", on_stack, 1);
	expect("blocked inside (itself 1, sa_mask 2)", blocked_inside, 3);
	expect("SA_SIGINFO: si_signo", info_signal, SIGUSR1);
	sigprocmask(SIG_BLOCK, NULL, &after);
	expect("blocked afterwards", sigismember(&after, SIGUSR1) + sigismember(&after, SIGUSR2),
		0);
	must(sigaction(SIGUSR1, NULL, &back) == 0);
	expect("flags read back",
		back.sa_flags & (SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART),
		SA_SIGINFO | SA_ONSTACK);
	expect("mask read back", sigismember(&back.sa_mask, SIGUSR2), 1);
	expect_true("handler read back", back.sa_sigaction == look);
}

static void check_no_child_wait(void)
{
	set(SIGCHLD, plain, SA_NOCLDWAIT);
	pid_t child = fork();
	if (child == 0)
		_exit(3);
	expect_errno("wait with SA_NOCLDWAIT", waitpid(child, NULL, 0), ECHILD);
	set(SIGCHLD, SIG_IGN, 0);
	child = fork();
	if (child == 0)
		_exit(3);
	expect_errno("wait with SIGCHLD ignored", waitpid(child, NULL, 0), ECHILD);
}

static void check_no_child_stop(void)
{
	int status;
	for (int flags = 0; flags <= SA_NOCLDSTOP; flags += SA_NOCLDSTOP) {
		set(SIGCHLD, plain, flags);
		calls = 0;
		pid_t child = fork();
		if (child == 0) {
			raise(SIGSTOP);
			_exit(0);
		}
		must(waitpid(child, &status, WUNTRACED) == child);
		expect("stopped", WIFSTOPPED(status), 1);
		expect(flags ? "SIGCHLD at stop with SA_NOCLDSTOP" : "SIGCHLD at stop", calls,
			flags ? 0 : 1);
		kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	}
}

int main(void)
{
	struct sigaction action = { .sa_handler = plain };
	check_nesting();
	check_reset();
	check_flags_read_back();
	check_stack_mask_and_info();
	check_no_child_wait();
	check_no_child_stop();
	expect_errno("a handler for SIGKILL", sigaction(SIGKILL, &action, NULL), EINVAL);
	expect_errno("a handler for SIGSTOP", sigaction(SIGSTOP, &action, NULL), EINVAL);
	expect_errno("a handler for signal 65", sigaction(65, &action, NULL), EINVAL);
	return verdict();
}
