/* A program that sets its own trap flag gets a SIGTRAP per instruction, over system calls too,
 * until it clears it. */
#include <signal.h>
#include <unistd.h>

#include "check.h"

static volatile int steps;

static void count(int number)
{
	(void)number;
	steps++;
}

#define TRAP_FLAG_ON  __asm__ volatile("pushf; orl $0x100, (%%rsp); popf" ::: "memory", "cc")
#define TRAP_FLAG_OFF __asm__ volatile("pushf; andl $~0x100, (%%rsp); popf" ::: "memory", "cc")

int main(void)
{
	struct sigaction action = { .sa_handler = count };
	pid_t parent = getppid();
	must(sigaction(SIGTRAP, &action, NULL) == 0);
	for (int round = 0; round < 3; round++) {
		steps = 0;
		TRAP_FLAG_ON;
		__asm__ volatile("nop; nop; nop; nop");
		TRAP_FLAG_OFF;
		expect_true("steps over plain instructions", steps >= 4 && steps < 20);
		int before = steps;
		TRAP_FLAG_ON;
		pid_t again = getppid();
		TRAP_FLAG_OFF;
		expect_true("the call's result", again == parent);
		expect_true("steps around a system call", steps > before + 4);
		before = steps;
		getppid();
		expect("steps afterwards", steps - before, 0);
	}
	return verdict();
}
