/* signalfd gives blocked signals as records. */
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

int main(void)
{
	sigset_t set;
	struct signalfd_siginfo record;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGRTMIN + 2);
	must(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	must(fd >= 0);
	struct pollfd ready = { .fd = fd, .events = POLLIN };

	expect_errno("nothing yet", read(fd, &record, sizeof(record)), EAGAIN);
	expect("poll", poll(&ready, 1, 0), 0);
	raise(SIGUSR1);
	expect("poll with one", poll(&ready, 1, 1000), 1);
	expect("read", read(fd, &record, sizeof(record)), sizeof(record));
	expect("its number", record.ssi_signo, SIGUSR1);
	sigqueue(getpid(), SIGRTMIN + 2, (union sigval){ .sival_int = 77 });
	expect("read", read(fd, &record, sizeof(record)), sizeof(record));
	expect("its value", record.ssi_int, 77);
	expect("its code", record.ssi_code, SI_QUEUE);

	pid_t child = fork();
	if (child == 0)
		_exit(9);
	expect("poll for a child's end", poll(&ready, 1, 10000), 1);
	expect("read", read(fd, &record, sizeof(record)), sizeof(record));
	expect("SIGCHLD", record.ssi_signo, SIGCHLD);
	expect("status", record.ssi_status, 9);
	expect_true("pid", (pid_t)record.ssi_pid == child);
	must(waitpid(child, NULL, 0) == child);

	sigdelset(&set, SIGUSR1);
	must(signalfd(fd, &set, 0) == fd);
	raise(SIGUSR1);
	expect_errno("no longer in the set", read(fd, &record, sizeof(record)), EAGAIN);
	expect_errno("too small a buffer", read(fd, &record, 4), EINVAL);
	return verdict();
}
