/* Faults reach the program's handler with the right number, code, address and registers. */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"

static sigjmp_buf back;
static volatile siginfo_t seen;
static volatile unsigned long seen_ip, seen_rbx, seen_trap;

static void handler(int number, siginfo_t *info, void *context)
{
	ucontext_t *state = context;
	(void)number;
	memcpy((void *)&seen, info, sizeof(seen));
	seen_ip = (unsigned long)state->uc_mcontext.gregs[REG_RIP];
	seen_rbx = (unsigned long)state->uc_mcontext.gregs[REG_RBX];
	seen_trap = (unsigned long)state->uc_mcontext.gregs[REG_TRAPNO];
	siglongjmp(back, 1);
}

static void listen_to(int number)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	must(sigaction(number, &action, NULL) == 0);
}

extern char fault_here[];

static void check_segv(void)
{
	char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (!sigsetjmp(back, 1))
		*(volatile char *)page = 1;
	expect("write to a read-only page: signal", seen.si_signo, SIGSEGV);
	expect("code", seen.si_code, SEGV_ACCERR);
	expect_true("address", seen.si_addr == page);
	munmap(page, 4096);
	if (!sigsetjmp(back, 1))
		*(volatile char *)page = 1;
	expect("write to no page: code", seen.si_code, SEGV_MAPERR);
	expect_true("address", seen.si_addr == page);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("movq $0x1234567, %%rbx; movq $0x1000, %%rax; fault_here: movl "
				 "(%%rax), %%eax"
				 :
				 :
				 : "rax", "rbx", "memory");
	expect("registers at the fault: rbx", (long)seen_rbx, 0x1234567);
	expect_true("instruction pointer", seen_ip == (unsigned long)fault_here);
	expect("trap number", (long)seen_trap, 14);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("hlt");
	expect("a privileged instruction: signal", seen.si_signo, SIGSEGV);
	expect("code", seen.si_code, SI_KERNEL);
	if (!sigsetjmp(back, 1))
		*(volatile char *)0x8000000000000000ul = 1;
	expect("a non-canonical address: code", seen.si_code, SI_KERNEL);
}

static void check_others(void)
{
	volatile int zero = 0, number = 7;
	char path[] = "scratch-XXXXXX";
	if (!sigsetjmp(back, 1))
		number = number / zero;
	expect("division by zero: signal", seen.si_signo, SIGFPE);
	expect("code", seen.si_code, FPE_INTDIV);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("ud2");
	expect("ud2: signal", seen.si_signo, SIGILL);
	expect("code", seen.si_code, ILL_ILLOPN);
	if (!sigsetjmp(back, 1))
		__asm__ volatile("int3");
	expect("int3: signal", seen.si_signo, SIGTRAP);
	expect("code", seen.si_code, SI_KERNEL);
	int file = mkstemp(path);
	must(file >= 0 && unlink(path) == 0);
	char *beyond = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
	must(beyond != MAP_FAILED);
	if (!sigsetjmp(back, 1))
		zero = *(volatile char *)beyond;
	expect("behind the end of a file: signal", seen.si_signo, SIGBUS);
	expect("code", seen.si_code, BUS_ADRERR);
	expect_true("address", seen.si_addr == beyond);
}

int main(void)
{
	int numbers[] = { SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGBUS };
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		listen_to(numbers[i]);
	for (int round = 0; round < 3; round++) {
		check_segv();
		check_others();
	}
	return verdict();
}
