/* Many connections of one server are filled, and have room again once the other end has read. */
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"

#define COUNT 60

static char bytes[65536];
static int ends[COUNT], others[COUNT];

static void connect_all(void)
{
	struct sockaddr_in name = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	socklen_t length = sizeof(name);

	must(listener >= 0 && bind(listener, (struct sockaddr *)&name, sizeof(name)) == 0);
	must(listen(listener, COUNT) == 0);
	must(getsockname(listener, (struct sockaddr *)&name, &length) == 0);
	for (int i = 0; i < COUNT; i++) {
		ends[i] = socket(AF_INET, SOCK_STREAM, 0);
		must(connect(ends[i], (struct sockaddr *)&name, sizeof(name)) == 0);
		others[i] = accept(listener, NULL, NULL);
		must(others[i] >= 0);
		must(fcntl(ends[i], F_SETFL, O_NONBLOCK) == 0);
		must(fcntl(others[i], F_SETFL, O_NONBLOCK) == 0);
	}
	must(close(listener) == 0);
}

/* Until there is no more, of what is still on its way too. */
static long empty(int fd, long sent)
{
	struct pollfd some = { fd, POLLIN, 0 };
	ssize_t part;

	while (sent > 0 && poll(&some, 1, 10000) == 1 &&
		(part = read(fd, bytes, sizeof(bytes))) > 0)
		sent -= part;
	return sent;
}

int main(void)
{
	long sent[COUNT] = { 0 }, left = 0;
	int writable = 0;

	connect_all();
	for (int i = 0; i < COUNT; i++) {
		ssize_t part;

		while ((part = write(ends[i], bytes, sizeof(bytes))) > 0)
			sent[i] += part;
		expect_errno("write to a full one", part, EAGAIN);
	}
	for (int i = 0; i < COUNT; i++)
		left += empty(others[i], sent[i]);
	expect("bytes that were lost", left, 0);
	for (int i = 0; i < COUNT; i++) {
		struct pollfd one = { ends[i], POLLOUT, 0 };

		writable += poll(&one, 1, 10000) == 1 && one.revents == POLLOUT;
	}
	expect("with room again", writable, COUNT);
	return verdict();
}
