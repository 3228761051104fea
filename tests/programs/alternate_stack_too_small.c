/* Handlers that nest beyond their alternate stack end the process by SIGSEGV; nothing below it is
 * written. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define BELOW	 65536
#define STACK	 16384
#define TOO_DEEP 40

static int depth;

static void nest(int number)
{
	if (++depth == TOO_DEEP)
		_exit(1);
	raise(number);
}

static void overflow(char *stack)
{
	stack_t alternate = { .ss_sp = stack, .ss_size = STACK };
	struct sigaction action = { .sa_handler = nest, .sa_flags = SA_ONSTACK | SA_NODEFER };
	must(sigaltstack(&alternate, NULL) == 0 && sigaction(SIGUSR1, &action, NULL) == 0);
	raise(SIGUSR1);
	_exit(2);
}

int main(void)
{
	int status;
	long written = 0;
	char *memory = mmap(
		NULL, BELOW + STACK, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	must(memory != MAP_FAILED);
	memset(memory, 0x55, BELOW);
	pid_t child = fork();
	if (child == 0)
		overflow(memory + BELOW);
	must(waitpid(child, &status, 0) == child);
	expect("killed by", WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGSEGV);
	for (int i = 0; i < BELOW; i++)
		written += memory[i] != 0x55;
	expect("bytes written below the stack", written, 0);
	return verdict();
}
