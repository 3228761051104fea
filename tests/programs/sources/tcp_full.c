/* How much a connection takes before it is full, who is told when there is room again, and that a
 * blocked writer goes on, is the same each time. The kernel decides it by the memory that it
 * uses. */
#include <fcntl.h>
#include <sys/epoll.h>

#include "sockets.h"

static char bytes[300000];

/* As much as it takes, in pieces. */
static void fill(int fd, size_t piece)
{
	long n, sum = 0, times = 0;

	while ((n = send(fd, bytes, piece, MSG_DONTWAIT)) > 0) {
		sum += n;
		times++;
	}
	must(errno == EAGAIN);
	printf("full after %ld bytes by %ld pieces:%s\n", sum, times, events_of(fd));
}

static void drain(const int ends[2], long most)
{
	long n, sum = 0;

	while (sum < most && (n = recv(ends[1], bytes, 4096, MSG_DONTWAIT)) > 0)
		sum += n;
	printf("read %ld:%s\n", sum, events_of(ends[0]));
}

static void by_epoll(size_t piece)
{
	struct epoll_event event = { .events = EPOLLOUT | EPOLLET }, found;
	int ends[2], epoll = epoll_create1(0);

	connection(ends);
	must(epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event) == 0);
	for (int i = 0; i < 3; i++) {
		int ready = epoll_wait(epoll, &found, 1, 0);

		printf("ready %d, again %d; ", ready, epoll_wait(epoll, &found, 1, 0));
		fill(ends[0], piece);
		drain(ends, 100000);
		drain(ends, 1 << 30);
	}
	close(ends[0]);
	close(ends[1]);
	close(epoll);
}

static void writer(int number, int port)
{
	int fd = connected(SOCK_STREAM, port);

	for (int i = 0; i < 20; i++)
		must(write(fd, bytes, sizeof(bytes)) == (long)sizeof(bytes));
	printf("writer %d is done\n", number);
}

int main(void)
{
	int server = listening(4);

	by_epoll(1);
	by_epoll(1000);
	by_epoll(sizeof(bytes));
	start(0, writer, port_of(server));
	start(1, writer, port_of(server));
	int fds[2] = { accept(server, NULL, NULL), accept(server, NULL, NULL) };
	long sums[2] = { 0, 0 }, n = 1;

	for (int i = 0; n > 0; i = !i) {
		n = recv(fds[i], bytes, 100000, 0);
		printf("%d: %ld\n", i, n);
		sums[i] += n;
	}
	printf("%ld and %ld\n", sums[0], sums[1]);
	for (int i = 0; i < 2; i++)
		while (recv(fds[i], bytes, sizeof(bytes), 0) > 0)
			;
	wait_for_all();
	return 0;
}
