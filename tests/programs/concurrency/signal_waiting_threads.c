/* Threads that wait for signals by sigwait and signalfd, and others that send to the process: which
 * of them takes which. */
#include <signal.h>
#include <sys/signalfd.h>

#include "race.h"

#define WAITERS 4
#define ROUNDS	20

static sigset_t set;
static char order[ROUNDS + 1];
static int taken, sent;

static void *wait_for(void *number)
{
	for (;;) {
		siginfo_t info;

		if ((long)number) {
			while (sigwaitinfo(&set, &info) < 0) /* another one was faster */
				must(errno == EINTR);
		} else {
			struct signalfd_siginfo read_info;
			int fd = signalfd(-1, &set, SFD_CLOEXEC);

			must(read(fd, &read_info, sizeof(read_info)) == sizeof(read_info));
			close(fd);
		}
		int at = __atomic_fetch_add(&taken, 1, __ATOMIC_SEQ_CST);

		if (at >= ROUNDS)
			return NULL;
		order[at] = (char)('a' + (long)number);
	}
}

static void *send_some(void *unused)
{
	union sigval value = { 0 };

	while (__atomic_fetch_add(&sent, 1, __ATOMIC_SEQ_CST) < ROUNDS + WAITERS) {
		must(sigqueue(getpid(), SIGRTMIN, value) == 0);
		compute(2000);
	}
	return unused;
}

static void *work(void *number)
{
	return (long)number < WAITERS ? wait_for(number) : send_some(NULL);
}

int main(void)
{
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	must(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
	in_threads(WAITERS + 2, work);
	printf("%s\n", order);
	return 0;
}
