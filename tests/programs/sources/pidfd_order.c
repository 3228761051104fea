/* Processes by descriptors: which of them ends first, as poll, epoll and waitid see it, and
 * signals. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>

#include "contend.h"

#define CHILDREN 5

static int descriptor_of(pid_t pid, unsigned flags)
{
	return (int)syscall(SYS_pidfd_open, pid, flags);
}

static int send(int fd, int signal, siginfo_t *info)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, signal, info, 0);
}

static void start(int fds[CHILDREN])
{
	for (int i = 0; i < CHILDREN; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			compute(10 + 300 * (unsigned)((i * 3) % CHILDREN));
			usleep(1000 * (unsigned)((i * 2) % 3));
			_exit(i);
		}
		fds[i] = descriptor_of(pid, 0);
	}
}

static void tell_wait(int fd, int options)
{
	siginfo_t info = { 0 };
	int r = waitid(P_PIDFD, (id_t)fd, &info, options);

	printf("waitid %d: code %d, status %d\n", r, info.si_code, info.si_status);
}

static void by_poll(void)
{
	struct pollfd polls[CHILDREN];
	int fds[CHILDREN];

	start(fds);
	for (int i = 0; i < CHILDREN; i++)
		polls[i] = (struct pollfd){ fds[i], POLLIN, 0 };
	for (int left = CHILDREN; left;) {
		poll(polls, CHILDREN, -1);
		for (int i = 0; i < CHILDREN; i++) {
			if (!polls[i].revents)
				continue;
			printf("%d is over: ", i);
			tell_wait(fds[i], WEXITED | WNOHANG);
			close(fds[i]);
			polls[i].fd = -1;
			left--;
		}
	}
}

static void by_epoll(void)
{
	int fds[CHILDREN], set = epoll_create1(0);
	struct epoll_event events[2];

	start(fds);
	for (int i = 0; i < CHILDREN; i++) {
		events[0] = (struct epoll_event){ .events = EPOLLIN, .data.fd = i };
		epoll_ctl(set, EPOLL_CTL_ADD, fds[i], events);
	}
	for (int left = CHILDREN; left;) {
		int count = epoll_wait(set, events, 2, -1);

		for (int i = 0; i < count; i++, left--) {
			printf("%d is over: ", events[i].data.fd);
			tell_wait(fds[events[i].data.fd], WEXITED);
			epoll_ctl(set, EPOLL_CTL_DEL, fds[events[i].data.fd], NULL);
		}
	}
}

static volatile sig_atomic_t arrived;

static void on_signal(int signal, siginfo_t *info, void *context)
{
	(void)context;
	arrived = signal == SIGUSR1 ? 1 + (info->si_code == SI_USER) : info->si_value.sival_int;
}

static void by_signal(void)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	siginfo_t info = { .si_signo = SIGUSR2, .si_code = SI_QUEUE };
	int fd, gone;
	pid_t pid;

	fflush(stdout);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR2, &action, NULL);
	pid = fork();
	if (pid == 0) {
		for (int i = 0; i < 2; i++) {
			while (!arrived)
				usleep(100);
			say("arrived", i, arrived);
			arrived = 0;
		}
		pause();
	}
	fd = descriptor_of(pid, O_NONBLOCK);
	usleep(5000);
	TELL(send(fd, 0, NULL));
	TELL(send(fd, SIGUSR1, NULL));
	usleep(5000);
	info.si_value.sival_int = 77;
	TELL(send(fd, SIGUSR2, &info));
	TELL(send(fd, SIGUSR1, &info));
	TELL(send(1, SIGUSR1, NULL));
	TELL(send(fd, 99, NULL));
	TELL(waitid(P_PIDFD, (id_t)fd, &info, WEXITED));
	tell_wait(fd, WEXITED | WNOHANG);
	usleep(5000);
	TELL(send(fd, SIGKILL, NULL));
	tell_wait(fd, WEXITED | WNOWAIT);
	TELL(send(fd, SIGUSR1, NULL));
	tell_wait(fd, WEXITED);
	TELL(send(fd, SIGUSR1, NULL));
	tell_wait(fd, WEXITED);
	gone = descriptor_of(pid, 0);
	TELL(gone);
	tell_wait(1, WEXITED);
	tell_wait(99, WEXITED);
}

int main(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	by_poll();
	by_epoll();
	by_signal();
	return 0;
}
