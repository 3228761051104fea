/* Signals that arrive while the program faults are neither lost nor late. */
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "check.h"

#define QUEUED	     3000
#define ONE_BY_ONE   1000
#define WHILE_ASLEEP 100

/* touch(address) reads a byte; the handler goes on at touched. */
void touch(const char *address);
extern char touched[];
__asm__("touch: movb (%rdi), %al\n"
	"touched: ret\n");

static struct {
	atomic_long sent, received;
} * shared;
static char *no_access;
static void (*wait_in_handler)(long wanted);
static atomic_long late;

static void take(int number)
{
	(void)number;
	shared->received++;
}

static void over_the_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *state = context;
	(void)number, (void)info;
	if (wait_in_handler)
		wait_in_handler(shared->sent);
	state->uc_mcontext.gregs[REG_RIP] = (greg_t)touched;
}

/* A signal that was sent before needs no system call of ours to arrive. */
static void compute(long wanted)
{
	for (long i = 0; i < 200000000 && shared->received < wanted; i++)
		__asm__ volatile("pause");
	late += shared->received < wanted;
}

/* One that is still on its way ends a wait. */
static void sleep_until_signal(long wanted)
{
	for (int i = 0; i < 20000 && shared->received < wanted; i++)
		__asm__ volatile("pause");
	if (shared->received < wanted && poll(NULL, 0, 1000) == 0)
		late++;
}

static void queue(pid_t target)
{
	union sigval value = { .sival_int = 0 };
	while (sigqueue(target, SIGRTMIN, value) != 0)
		usleep(10);
	shared->sent++;
}

static void pass_time(int rounds)
{
	for (volatile int i = 0; i < rounds; i++)
		;
}

/* A child that queues signals for its parent: all at once, or each when the one before has
 * arrived. */
static pid_t start_sender(int count, int one_by_one)
{
	pid_t parent = getpid(), child;
	shared->sent = shared->received = 0;
	child = fork();
	must(child >= 0);
	if (child > 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < count; i++) {
		queue(parent);
		while (one_by_one && shared->received < shared->sent)
			sched_yield();
		pass_time(200 + i % 777);
	}
	_exit(0);
}

static void refused_call(const char *address)
{
	syscall(SYS_rt_sigaction, SIGUSR1, address, NULL, 8);
}

static void fault_under_signals(
	const char *what, void (*fault)(const char *), int count, int one_by_one)
{
	pid_t child = start_sender(count, one_by_one);
	late = 0;
	while (waitpid(child, NULL, WNOHANG) == 0)
		for (int i = 0; i < 50 && late == 0; i++)
			fault(no_access);
	for (int i = 0; i < 5000 && shared->received < count; i++)
		usleep(1000);
	printf("%s\n", what);
	expect("sent", shared->sent, count);
	expect("received", shared->received, count);
	expect("late", late, 0);
}

int main(void)
{
	struct sigaction queued = { .sa_handler = take, .sa_flags = SA_RESTART },
			 fault = { .sa_sigaction = over_the_fault, .sa_flags = SA_SIGINFO };
	must(sigaction(SIGRTMIN, &queued, NULL) == 0 && sigaction(SIGSEGV, &fault, NULL) == 0);
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	no_access = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	must(shared != MAP_FAILED && no_access != MAP_FAILED);

	fault_under_signals("SIGSEGVs", touch, QUEUED, 0);
	fault_under_signals("calls that end with EFAULT", refused_call, QUEUED, 0);
	wait_in_handler = compute;
	fault_under_signals("a handler that computes", touch, ONE_BY_ONE, 1);
	wait_in_handler = sleep_until_signal;
	fault_under_signals("a handler that sleeps", touch, WHILE_ASLEEP, 1);
	return verdict();
}
