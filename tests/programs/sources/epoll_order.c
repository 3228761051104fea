/* In which order epoll tells of what several processes make ready, by level, by edge and once, also
 * through a set inside another. */
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "contend.h"

#define PIPES 4

static int pipes[PIPES][2];

static void writer(int who)
{
	for (int i = 0; i < 4; i++) {
		compute(5 + 40 * (unsigned)((who * 3 + i) % 4));
		usleep(500 * (unsigned)((who + 2 * i) % 4));
		if (write(pipes[who][1], "ab", 2) != 2)
			_exit(1);
	}
	if (who == 0)
		kill(getppid(), SIGUSR1);
}

static void tell(const struct epoll_event *event, int kind)
{
	char bytes[2];
	ssize_t count = kind == 'o' ? 0 : read(pipes[event->data.fd][0], bytes, 1 + (kind == 'e'));

	printf("%c: pipe %d, events %x, %zd read\n", kind, event->data.fd, event->events, count);
}

/* Until all have ended, of which `hangups` tell. */
static void run(int kind, uint32_t flags, int nested)
{
	int set = epoll_create1(0), outer = epoll_create1(0), hangups = 0;
	struct epoll_event events[3];
	pid_t pids[PIPES];

	for (int i = 0; i < PIPES; i++) {
		if (pipe2(pipes[i], O_NONBLOCK))
			exit(1);
		events[0] = (struct epoll_event){ .events = EPOLLIN | flags, .data.fd = i };
		epoll_ctl(set, EPOLL_CTL_ADD, pipes[i][0], events);
	}
	events[0] = (struct epoll_event){ .events = EPOLLIN, .data.fd = set };
	epoll_ctl(outer, EPOLL_CTL_ADD, set, events);
	for (int i = 0; i < PIPES; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			writer(i);
			_exit(0);
		}
	}
	for (int i = 0; i < PIPES; i++)
		close(pipes[i][1]);
	while (hangups < PIPES) {
		int count;

		if (nested && epoll_wait(outer, events, 3, -1) != 1)
			continue;
		count = epoll_wait(set, events, 3, nested ? 0 : -1);
		for (int i = 0; i < count; i++) {
			if (events[i].events & EPOLLIN) {
				tell(&events[i], kind);
			} else {
				printf("%c: pipe %d, events %x\n", kind, events[i].data.fd,
					events[i].events);
				epoll_ctl(set, EPOLL_CTL_DEL, pipes[events[i].data.fd][0], NULL);
				hangups++;
				continue;
			}
			if (kind == 'o') {
				char bytes[16];
				ssize_t got =
					read(pipes[events[i].data.fd][0], bytes, sizeof(bytes));

				printf("%zd more\n", got);
				events[i].events = EPOLLIN | flags;
				epoll_ctl(set, EPOLL_CTL_MOD, pipes[events[i].data.fd][0],
					&events[i]);
			} else if (kind == 'e') {
				char bytes[16];

				while (read(pipes[events[i].data.fd][0], bytes, sizeof(bytes)) > 0)
					;
				hangups += (events[i].events & EPOLLHUP) != 0;
			}
		}
	}
	for (int i = 0; i < PIPES; i++) {
		waitpid(pids[i], NULL, 0);
		close(pipes[i][0]);
	}
	close(set);
	close(outer);
}

int main(void)
{
	struct signalfd_siginfo info;
	struct itimerspec span = { { 0, 0 }, { 0, 5000000 } };
	int timer, signals, ready;
	struct epoll_event event;
	sigset_t usr1;

	setvbuf(stdout, NULL, _IOLBF, 0);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	sigprocmask(SIG_BLOCK, &usr1, NULL);
	signals = signalfd(-1, &usr1, 0);
	run('l', 0, 0);
	run('l', 0, 1);
	run('e', EPOLLET, 0);
	run('o', EPOLLONESHOT, 0);
	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return 1;
	printf("signal %u, code %d\n", info.ssi_signo, info.ssi_code);
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	ready = epoll_create1(0);
	event = (struct epoll_event){ .events = EPOLLIN, .data.fd = timer };
	epoll_ctl(ready, EPOLL_CTL_ADD, timer, &event);
	event.data.fd = signals;
	epoll_ctl(ready, EPOLL_CTL_ADD, signals, &event);
	timerfd_settime(timer, 0, &span, NULL);
	if (fork() == 0) {
		usleep(2000);
		kill(getppid(), SIGUSR1);
		epoll_wait(ready, &event, 1, -1);
		say("child sees timer", event.data.fd == timer, 0);
		_exit(0);
	}
	for (int i = 0; i < 2; i++) {
		epoll_wait(ready, &event, 1, -1);
		say("parent sees timer", event.data.fd == timer, i);
		if (event.data.fd == signals && read(signals, &info, sizeof(info)) < 0)
			return 1;
	}
	wait(NULL);
	TELL(epoll_wait(ready, &event, 0, -1));
	TELL(epoll_wait(1, &event, 1, -1));
	TELL(epoll_wait(99, &event, 1, -1));
	return 0;
}
