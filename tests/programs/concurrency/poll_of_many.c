/* What poll, select and epoll (level, edge, one shot) find of pipes that are written to at the same
 * time. */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "race.h"

#define PIPES 5
#define EACH  6

static int ends[PIPES][2];

static void *write_some(void *number)
{
	for (int i = 0; i < EACH; i++) {
		must(write(ends[(long)number][1], "x", 1) == 1);
		compute((long)number % 2 * 500 + 300);
	}
	return NULL;
}

static int read_one(int index)
{
	char bytes[2];
	long n = read(ends[index][0], bytes, sizeof(bytes));

	must(n > 0);
	printf("%c%ld ", 'a' + index, n);
	return (int)n;
}

static int by_poll(int unused)
{
	struct pollfd fds[PIPES];
	int got = 0;

	(void)unused;
	for (int i = 0; i < PIPES; i++)
		fds[i] = (struct pollfd){ .fd = ends[i][0], .events = POLLIN };
	must(poll(fds, PIPES, -1) > 0);
	for (int i = 0; i < PIPES; i++)
		got += fds[i].revents & POLLIN ? read_one(i) : 0;
	return got;
}

static int by_select(int unused)
{
	int got = 0;
	fd_set set;

	(void)unused;
	FD_ZERO(&set);
	for (int i = 0; i < PIPES; i++)
		FD_SET(ends[i][0], &set);
	must(select(FD_SETSIZE, &set, NULL, NULL, NULL) > 0);
	for (int i = 0; i < PIPES; i++)
		got += FD_ISSET(ends[i][0], &set) ? read_one(i) : 0;
	return got;
}

static int by_epoll(int flags)
{
	static int epoll = -1;
	static int known;
	struct epoll_event events[3];
	int got = 0, n;

	if (epoll < 0 || known != flags) {
		epoll = epoll_create1(EPOLL_CLOEXEC);
		known = flags;
		for (int i = 0; i < PIPES; i++) {
			struct epoll_event event = { (uint32_t)flags | EPOLLIN, { .fd = i } };

			must(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[i][0], &event) == 0);
		}
	}
	n = epoll_wait(epoll, events, 3, 50);
	for (int i = 0; i < n; i++) {
		struct epoll_event event = { (uint32_t)flags | EPOLLIN,
			{ .fd = events[i].data.fd } };

		got += read_one(event.data.fd);
		must(!flags ||
			epoll_ctl(epoll, EPOLL_CTL_MOD, ends[event.data.fd][0], &event) == 0);
	}
	return got;
}

static void go(const char *name, int (*take)(int), int flags)
{
	start_processes(PIPES, write_some);
	printf("%s: ", name);
	for (int got = 0; got < PIPES * EACH;)
		got += take(flags);
	printf("\n");
	end_processes(PIPES);
}

int main(void)
{
	for (int i = 0; i < PIPES; i++)
		must(pipe(ends[i]) == 0);
	go("poll", by_poll, 0);
	go("select", by_select, 0);
	go("level", by_epoll, 0);
	go("edge", by_epoll, (int)EPOLLET);
	go("one shot", by_epoll, (int)EPOLLONESHOT);
	return 0;
}
