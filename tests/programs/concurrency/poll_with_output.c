/* Who waits for an answer, and watches its output as well, as netcat does, goes on when there is
 * one: before others that wait for an hour. */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>

#include "race.h"

#define ROUNDS	30
#define SECONDS 1000
#define HOUR	(3600 * SECONDS)

static void answer(int fd)
{
	struct pollfd poll_one = { fd, POLLIN, 0 };
	int hours = 0;
	char byte;

	for (;;) {
		while (poll(&poll_one, 1, HOUR) == 0)
			hours++;
		if (read(fd, &byte, 1) != 1)
			break;
		must(write(fd, &byte, 1) == 1);
	}
	printf("%d hours\n", hours);
	exit(0);
}

static void await_by_poll(int fd)
{
	struct pollfd both[] = { { fd, POLLIN, 0 }, { STDOUT_FILENO, 0, 0 } };

	must(poll(both, 2, 2 * SECONDS) == 1);
	must(both[0].revents == POLLIN && both[1].revents == 0);
}

/* An output is never ready for reading; what is exceptional about it is its end. */
static void await_by_select(int fd)
{
	struct timeval limit = { 2, 0 };
	fd_set reads, exceptions;

	FD_ZERO(&reads);
	FD_ZERO(&exceptions);
	FD_SET(fd, &reads);
	FD_SET(STDOUT_FILENO, &exceptions);
	must(select(fd + 1, &reads, NULL, &exceptions, &limit) == 1);
	must(FD_ISSET(fd, &reads));
}

static void await_by_epoll(int fd)
{
	struct epoll_event input = { .events = EPOLLIN, .data.fd = fd }, output = { 0 }, found;
	int set = epoll_create1(0);

	must(set >= 0);
	must(epoll_ctl(set, EPOLL_CTL_ADD, fd, &input) == 0);
	must(epoll_ctl(set, EPOLL_CTL_ADD, STDOUT_FILENO, &output) == 0);
	must(epoll_wait(set, &found, 1, 2 * SECONDS) == 1);
	must(found.data.fd == fd);
	close(set);
}

int main(void)
{
	static void (*const ways[])(int) = { await_by_poll, await_by_select, await_by_epoll };
	struct timespec now;
	int ends[2];
	char byte = 0;
	pid_t child;

	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		answer(ends[1]);
	}
	close(ends[1]);
	for (int i = 0; i < ROUNDS; i++) {
		must(write(ends[0], &byte, 1) == 1);
		ways[i % 3](ends[0]);
		must(read(ends[0], &byte, 1) == 1);
	}
	close(ends[0]);
	must(waitpid(child, NULL, 0) == child);
	must(clock_gettime(CLOCK_REALTIME, &now) == 0);
	printf("%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
	return 0;
}
