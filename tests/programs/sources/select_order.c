/* Which of eight pipes, written by eight processes at the same time, are ready at each select, poll
 * and epoll_wait, and in which order epoll tells, is the same each time. */
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

#define WRITERS 8

static int by_select(const int *fds, char *ready)
{
	fd_set set;

	FD_ZERO(&set);
	for (int i = 0; i < WRITERS; i++)
		FD_SET(fds[i], &set);
	must(select(FD_SETSIZE, &set, NULL, NULL, NULL) > 0);
	int count = 0;

	for (int i = 0; i < WRITERS; i++)
		if (FD_ISSET(fds[i], &set))
			ready[count++] = (char)i;
	return count;
}

static int by_poll(const int *fds, char *ready)
{
	struct pollfd polled[WRITERS];
	int count = 0;

	for (int i = 0; i < WRITERS; i++)
		polled[i] = (struct pollfd){ fds[i], POLLIN, 0 };
	must(poll(polled, WRITERS, -1) > 0);
	for (int i = 0; i < WRITERS; i++)
		if (polled[i].revents & POLLIN)
			ready[count++] = (char)i;
	return count;
}

static int by_epoll(const int *fds, char *ready)
{
	struct epoll_event events[WRITERS];
	int epoll = epoll_create1(0);

	for (int i = 0; i < WRITERS; i++) {
		struct epoll_event event = { .events = EPOLLIN, .data.u32 = (unsigned int)i };

		must(epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &event) == 0);
	}
	int count = epoll_wait(epoll, events, WRITERS, -1);

	must(count > 0);
	for (int i = 0; i < count; i++)
		ready[i] = (char)events[i].data.u32;
	close(epoll);
	return count;
}

static void collect(const char *name, int (*wait_for)(const int *, char *))
{
	int ends[WRITERS][2], fds[WRITERS], left = WRITERS;

	for (int i = 0; i < WRITERS; i++) {
		must(pipe(ends[i]) == 0);
		fds[i] = ends[i][0];
	}
	for (int i = 0; i < WRITERS; i++)
		if (fork() == 0) {
			dprintf(ends[i][1], "%d\n", getpid());
			_exit(0);
		}
	while (left > 0) {
		char ready[WRITERS], text[20];
		int count = wait_for(fds, ready);

		printf("%s: %d ready:", name, count);
		for (int i = 0; i < count; i++, left--)
			printf(" %d by %d", ready[i],
				read(fds[(int)ready[i]], text, 20) > 0 ? atoi(text) : -1);
		printf("\n");
	}
	for (int i = 0; i < WRITERS; i++) {
		must(wait(NULL) > 0);
		close(ends[i][0]);
		close(ends[i][1]);
	}
}

int main(void)
{
	collect("select", by_select);
	collect("poll", by_poll);
	collect("epoll", by_epoll);
	return 0;
}
