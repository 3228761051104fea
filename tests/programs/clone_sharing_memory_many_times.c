/* Processes that share memory leave nothing behind when they end: 3000 can follow each other. */
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define STACK	  65536
#define PROCESSES 3000

static volatile int counted;

static int count(void *unused)
{
	(void)unused;
	counted++;
	_exit(0);
}

int main(void)
{
	char *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(stack != MAP_FAILED);
	for (int i = 0; i < PROCESSES; i++) {
		pid_t child = clone(count, stack + STACK, CLONE_VM | SIGCHLD, NULL);
		must(child > 0);
		must(waitpid(child, NULL, 0) == child);
	}
	expect("processes that ran", counted, PROCESSES);
	return verdict();
}
