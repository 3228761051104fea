/* What a handler is told of faults of its own making: number, code, address, and for abort who sent
 * it. */
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

/* A page at an address of our choice, readable only, and nothing behind it. */
#define PAGE ((char *)0x200000000)

static sigjmp_buf back;
static siginfo_t info;

static void handler(int number, siginfo_t *given, void *context)
{
	(void)number;
	(void)context;
	info = *given;
	siglongjmp(back, 1);
}

/* PAGE stays out of the compiler's sight, or it warns. */
static char *volatile page = PAGE;

static void write_nowhere(void)
{
	page[4096] = 1;
}

static void write_read_only(void)
{
	page[16] = 1;
}

static void read_wild(void)
{
	*(volatile char *)(0x8000000000000000UL | (unsigned long)page);
}

static void illegal(void)
{
	__asm__ volatile("ud2");
}

static void divide(void)
{
	__asm__ volatile("xorl %%ecx, %%ecx; xorl %%edx, %%edx; movl $1, %%eax; divl %%ecx" ::
				 : "eax", "ecx", "edx", "cc");
}

static void breakpoint(void)
{
	__asm__ volatile("int3");
}

static void show(const char *what, void (*cause)(void))
{
	if (sigsetjmp(back, 1) == 0) {
		cause();
		printf("%s: nothing happened\n", what);
		return;
	}
	printf("%s: signal %d, errno %d, code %d", what, info.si_signo, info.si_errno,
		info.si_code);
	if (info.si_signo == SIGSEGV)
		printf(", address %p\n", info.si_addr);
	else if (info.si_signo == SIGILL || info.si_signo == SIGFPE)
		printf(", in its function: %s\n",
			(char *)info.si_addr >= (char *)cause &&
					(char *)info.si_addr < (char *)cause + 32
				? "yes"
				: "no");
	else if (info.si_signo == SIGABRT)
		printf(", pid %d, uid %d\n", info.si_pid, info.si_uid);
	else
		printf("\n");
}

static void default_action(const char *what, void (*cause)(void))
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		for (int number = 1; number < 32; number++)
			signal(number, SIG_DFL);
		cause();
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child && WIFSIGNALED(status));
	printf("%s without a handler: child %d died of %d\n", what, child, WTERMSIG(status));
}

int main(void)
{
	static const int numbers[] = { SIGSEGV, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGBUS };
	static const struct {
		const char *name;
		void (*cause)(void);
	} causes[] = { { "nothing mapped", write_nowhere }, { "read only", write_read_only },
		{ "no such address", read_wild }, { "illegal instruction", illegal },
		{ "division by zero", divide }, { "breakpoint", breakpoint }, { "abort", abort } };
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };

	must(mmap(page, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		     0) == page);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		must(sigaction(numbers[i], &action, NULL) == 0);
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++)
		show(causes[i].name, causes[i].cause);
	for (size_t i = 0; i < sizeof(causes) / sizeof(*causes); i++)
		default_action(causes[i].name, causes[i].cause);
	return 0;
}
