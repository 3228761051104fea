/* stops: the handler would be told of each SIGCONT.
 * tgkill sends each signal to one thread and no other: the handler runs in that thread and is told
 * who sent it. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../check.h"

static volatile sig_atomic_t seen, code, sender, receiver;
static sem_t ready;
static pid_t target;

static void handler(int number, siginfo_t *info, void *context)
{
	(void)context;
	seen = number;
	code = info->si_code;
	sender = info->si_pid;
	receiver = (int)syscall(SYS_gettid);
	sem_post(&ready);
}

static void *wait_for_signals(void *unused)
{
	target = (pid_t)syscall(SYS_gettid);
	sem_post(&ready);
	for (;;)
		pause();
	return unused;
}

static void wait_ready(void)
{
	while (sem_wait(&ready) != 0)
		must(errno == EINTR);
}

static int send_to(pid_t process, pid_t thread, int number)
{
	return (int)syscall(SYS_tgkill, process, thread, number);
}

int main(void)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO };
	pthread_t thread;

	sem_init(&ready, 0, 0);
	must(pthread_create(&thread, NULL, wait_for_signals, NULL) == 0);
	wait_ready();
	for (int number = 1; number <= 64; number++) {
		if (sigaction(number, &action, NULL) != 0) {
			printf("%d: no handler\n", number);
			continue;
		}
		must(send_to(getpid(), target, number) == 0);
		wait_ready();
		printf("%d: %d in thread %d, code %d, from %d", number, seen, receiver, code,
			sender);
		must(send_to(getpid(), getpid(), number) == 0);
		wait_ready();
		printf("; %d in thread %d\n", seen, receiver);
	}
	expect("no signal", send_to(getpid(), target, 0), 0);
	expect_errno("another process's thread", send_to(1, target, SIGTERM), ESRCH);
	expect_errno("no such thread", send_to(getpid(), 99999, SIGTERM), ESRCH);
	expect_errno("no such signal", send_to(getpid(), target, 65), EINVAL);
	expect_errno("no thread at all", send_to(getpid(), 0, SIGTERM), EINVAL);
	return verdict();
}
