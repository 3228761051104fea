/* A server with epoll and sixteen clients that ask it all at once: in which order it hears of what,
 * is the same each time. */
#include <sys/epoll.h>

#include "sockets.h"

#define CLIENTS	 16
#define REQUESTS 4

static void client(int number, int port)
{
	int fd = connected(SOCK_STREAM, port);
	char text[16];

	for (int i = 0; i < REQUESTS; i++) {
		int length = sprintf(text, "%d.%d", number, i);

		must(send(fd, text, (size_t)length, 0) == length);
		must(recv(fd, text, sizeof(text), 0) == length);
	}
}

static void watch(int epoll, int fd)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLRDHUP, .data.fd = fd };

	must(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) == 0);
}

/* Is it over? */
static int serve(int fd)
{
	char text[16];
	long n = recv(fd, text, sizeof(text), 0);

	if (n == 0) {
		printf(" -%d", fd);
		close(fd);
		return 1;
	}
	must(n > 0 && send(fd, text, (size_t)n, 0) == n);
	printf(" %.*s", (int)n, text);
	return 0;
}

int main(void)
{
	int server = listening(CLIENTS), epoll = epoll_create1(0), gone = 0;

	watch(epoll, server);
	for (int i = 0; i < CLIENTS; i++)
		start(i, client, port_of(server));
	while (gone < CLIENTS) {
		struct epoll_event events[8];
		int n = epoll_wait(epoll, events, 8, -1);

		must(n > 0);
		printf("%d:", n);
		for (int i = 0; i < n; i++) {
			int fd = events[i].data.fd;

			if (fd != server) {
				gone += serve(fd);
				continue;
			}
			fd = accept(server, NULL, NULL);
			printf(" +%d", fd);
			watch(epoll, fd);
		}
		printf("\n");
	}
	wait_for_all();
	return 0;
}
