/* Neither system calls nor signals touch the 128 bytes below the stack pointer. */
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"

static volatile long interruptions;

static void count(int number)
{
	(void)number;
	interruptions++;
	getppid();
}

/* Fills the red zone, makes `calls` calls of getppid, spins a little, and counts changed words. */
__attribute__((noinline)) static long damaged_words(long calls)
{
	long damage;
	__asm__ volatile("movq %%rsp, %%r8\n"
			 "movq $-128, %%rdx\n"
			 "1: movq %%rdx, (%%rsp,%%rdx)\n"
			 "addq $8, %%rdx\n"
			 "jnz 1b\n"
			 "2: movl %[number], %%eax\n"
			 "syscall\n"
			 "movl $200, %%edx\n"
			 "3: decl %%edx\n"
			 "jnz 3b\n"
			 "decq %[calls]\n"
			 "jnz 2b\n"
			 "xorl %%edi, %%edi\n"
			 "cmpq %%rsp, %%r8\n"
			 "je 4f\n"
			 "movl $1000, %%edi\n"
			 "4: movq $-128, %%rdx\n"
			 "5: cmpq %%rdx, (%%rsp,%%rdx)\n"
			 "je 6f\n"
			 "incq %%rdi\n"
			 "6: addq $8, %%rdx\n"
			 "jnz 5b\n"
			 "movq %%rdi, %[damage]\n"
			 : [damage] "=r"(damage), [calls] "+r"(calls)
			 : [number] "i"(SYS_getppid)
			 : "rax", "rcx", "rdx", "rdi", "r8", "r11", "memory", "cc");
	return damage;
}

int main(void)
{
	struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	long damage = 0;
	expect("damaged words, no signals", damaged_words(100000), 0);
	signal(SIGALRM, count);
	must(setitimer(ITIMER_REAL, &often, NULL) == 0);
	while (interruptions < 200)
		damage += damaged_words(1000);
	expect("damaged words, 200 signals", damage, 0);
	return verdict();
}
