/* A signal whose frame has no room on the stack becomes SIGSEGV, which may have a stack of
 * its own. */
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"

#define NO_STACK 0x1000

static sigjmp_buf back;
static char stack[65536];
static volatile int alarms, on_stack, code;

/* On a busy machine the first ones may come before the stack is lost: these do not count. */
static void take_alarm(int number, siginfo_t *info, void *context)
{
	const ucontext_t *before = context;
	(void)number, (void)info;
	if (before->uc_mcontext.gregs[REG_RSP] == NO_STACK)
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
	const struct timeval soon = { .tv_usec = 20000 };
	struct itimerval timer = { .it_value = soon, .it_interval = soon };
	must(setitimer(ITIMER_REAL, &timer, NULL) == 0);
	__asm__ volatile("movq %0, %%rsp\n"
			 "1: jmp 1b\n" ::"i"(NO_STACK)
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
	must(setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL) == 0);
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
	struct sigaction action = { .sa_sigaction = take_alarm, .sa_flags = SA_SIGINFO };
	must(sigaction(SIGALRM, &action, NULL) == 0);
	check_handler();
	check_death();
	return verdict();
}
