/* A signal whose frame has no room on the stack becomes SIGSEGV, which may have a stack of
 * its own. */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static sigjmp_buf back;
static char stack[65536];
static volatile int alarms, on_stack, code;

static void take_alarm(int number)
{
	(void)number;
	alarms++;
}

static void take_fault(int number, siginfo_t *info, void *context)
{
	char here;
	(void)number, (void)context;
	on_stack = &here >= stack && &here < stack + sizeof(stack);
	code = info->si_code;
	siglongjmp(back, 1);
}

/* Goes on without a stack until SIGALRM comes. */
static void lose_the_stack(void)
{
	struct itimerval soon = { .it_value = { .tv_usec = 20000 } };
	must(setitimer(ITIMER_REAL, &soon, NULL) == 0);
	__asm__ volatile("movq $0x1000, %%rsp\n"
			 "1: jmp 1b\n" ::
				 : "memory");
}

static void check_handler(void)
{
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction fault = { .sa_sigaction = take_fault,
		.sa_flags = SA_SIGINFO | SA_ONSTACK };
	must(sigaltstack(&alternate, NULL) == 0 && sigaction(SIGSEGV, &fault, NULL) == 0);
	if (!sigsetjmp(back, 1))
		lose_the_stack();
	expect("handler of SIGSEGV on the alternate stack", on_stack, 1);
	expect("code", code, SI_KERNEL);
	expect("handler of SIGALRM", alarms, 0);
}

static void check_death(void)
{
	int status;
	pid_t child = fork();
	if (child == 0) {
		signal(SIGSEGV, SIG_DFL);
		lose_the_stack();
	}
	must(waitpid(child, &status, 0) == child);
	expect("without a handler: killed by", WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGSEGV);
}

int main(void)
{
	struct sigaction action = { .sa_handler = take_alarm };
	must(sigaction(SIGALRM, &action, NULL) == 0);
	check_handler();
	check_death();
	return verdict();
}
