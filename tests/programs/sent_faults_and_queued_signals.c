/* SIGSEGV and SIGBUS that another process sends disturb neither the program nor the queue of
 * signals. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define SIGNALS 5000

static volatile sig_atomic_t queued, faults;

static void take_queued(int number)
{
	(void)number;
	queued++;
}

static void take_fault(int number)
{
	(void)number;
	faults++;
}

static void send_all(pid_t target)
{
	union sigval value = { .sival_int = 0 };
	for (int i = 0; i < SIGNALS; i++) {
		while (sigqueue(target, SIGRTMIN, value) != 0)
			usleep(10);
		must(kill(target, i % 2 ? SIGSEGV : SIGBUS) == 0);
		for (volatile int pause = 0; pause < 300 + i % 500; pause++)
			;
	}
}

int main(void)
{
	struct sigaction queue = { .sa_handler = take_queued, .sa_flags = SA_RESTART },
			 fault = { .sa_handler = take_fault, .sa_flags = SA_RESTART };
	struct stat status;
	pid_t self = getpid();
	must(sigaction(SIGRTMIN, &queue, NULL) == 0);
	must(sigaction(SIGSEGV, &fault, NULL) == 0 && sigaction(SIGBUS, &fault, NULL) == 0);
	pid_t child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		send_all(self);
		_exit(0);
	}
	while (waitpid(child, NULL, WNOHANG) == 0)
		for (int i = 0; i < 20; i++)
			stat("/usr/bin", &status);
	for (int i = 0; i < 5000 && queued < SIGNALS; i++)
		usleep(1000);
	expect("queued signals received", queued, SIGNALS);
	/* These do not queue: one that is pending swallows the next of its kind. */
	expect_true("faults received", faults >= 2 && faults <= SIGNALS);
	return verdict();
}
