/* A program that lives with its own faults: handler on an alternate stack, left by longjmp. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"

static sigjmp_buf back;
static char *alternate;
static volatile int on_alternate;

static void handler(int number)
{
	char here;
	(void)number;
	on_alternate = &here > alternate && &here < alternate + 65536;
	getppid();
	siglongjmp(back, 1);
}

static int deeper(volatile int level)
{
	volatile char frame[4096];
	frame[0] = (char)level;
	return level < 0 ? 0 : deeper(level + 1) + frame[0];
}

/* Reading a page that must first be made readable, as garbage collectors do. */
static char *guarded;
static volatile int repaired;

static void repair(int number, siginfo_t *info, void *context)
{
	(void)number, (void)context;
	must(mprotect((void *)((unsigned long)info->si_addr & ~4095ul), 4096,
		     PROT_READ | PROT_WRITE) == 0);
	repaired++;
}

static void check_write_barrier(void)
{
	struct sigaction action = { .sa_sigaction = repair, .sa_flags = SA_SIGINFO | SA_ONSTACK };
	must(sigaction(SIGSEGV, &action, NULL) == 0);
	guarded = mmap(NULL, 256 * 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 256; i++)
		guarded[i * 4096] = (char)i;
	long sum = 0;
	for (int i = 0; i < 256; i++)
		sum += (unsigned char)guarded[i * 4096];
	expect("pages repaired by the handler", repaired, 256);
	expect("sum of what was written", sum, 255 * 128);
}

int main(void)
{
	volatile int recovered = 0;
	alternate = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	stack_t stack = { .ss_sp = alternate, .ss_size = 65536 };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	struct rlimit limit = { 1 << 20, RLIM_INFINITY };
	must(sigaltstack(&stack, NULL) == 0);
	must(sigaction(SIGSEGV, &action, NULL) == 0);
	for (int i = 0; i < 1000; i++) {
		if (sigsetjmp(back, 1) == 0)
			*(volatile int *)8 = 1;
		else
			recovered++;
	}
	expect("recovered from writes to address 8", recovered, 1000);
	expect("on the alternate stack", on_alternate, 1);
	getrlimit(RLIMIT_STACK, &limit);
	limit.rlim_cur = 1 << 20;
	must(setrlimit(RLIMIT_STACK, &limit) == 0);
	for (volatile int i = 0; i < 10; i++) {
		if (sigsetjmp(back, 1) == 0)
			deeper(0);
		else
			recovered++;
	}
	expect("recovered from stack overflows", recovered, 1010);
	check_write_barrier();
	return verdict();
}
