/* Shared by the programs about sockets: short ways to make them. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

static inline struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
		.sin_port = htons((unsigned short)port),
	};
}

static inline int port_of(int fd)
{
	struct sockaddr_in name;
	socklen_t length = sizeof(name);

	must(getsockname(fd, (struct sockaddr *)&name, &length) == 0);
	return ntohs(name.sin_port);
}

/* A socket with a port of its own. */
static inline int bound(int type)
{
	struct sockaddr_in name = loopback(0);
	int fd = socket(AF_INET, type, 0);

	must(fd >= 0 && bind(fd, (struct sockaddr *)&name, sizeof(name)) == 0);
	return fd;
}

static inline int listening(int backlog)
{
	int fd = bound(SOCK_STREAM);

	must(listen(fd, backlog) == 0);
	return fd;
}

static inline int connected(int type, int port)
{
	struct sockaddr_in name = loopback(port);
	int fd = socket(AF_INET, type, 0);

	must(fd >= 0 && connect(fd, (struct sockaddr *)&name, sizeof(name)) == 0);
	return fd;
}

/* Both ends of a connection. */
static inline void connection(int ends[2])
{
	int server = listening(1);

	ends[0] = connected(SOCK_STREAM, port_of(server));
	ends[1] = accept(server, NULL, NULL);
	must(ends[1] >= 0);
	close(server);
}

/* The bits of poll that are set, by name. */
static inline const char *events_of(int fd)
{
	static const struct {
		int bit;
		const char *name;
	} names[] = { { POLLIN, " in" }, { POLLOUT, " out" }, { POLLRDHUP, " rdhup" },
		{ POLLHUP, " hup" }, { POLLERR, " err" } };
	static char text[64];
	struct pollfd polled = { fd, POLLIN | POLLOUT | POLLRDHUP, 0 };

	must(poll(&polled, 1, 0) >= 0);
	text[0] = 0;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (polled.revents & names[i].bit)
			strcat(text, names[i].name);
	return text;
}

/* A process that does this, with its number. */
static inline void start(int number, void (*work)(int number, int argument), int argument)
{
	fflush(stdout);
	if (fork() == 0) {
		work(number, argument);
		fflush(stdout);
		_exit(0);
	}
}

static inline void wait_for_all(void)
{
	int status;

	while (wait(&status) > 0)
		must(status == 0);
}

/* What a call answered, or why not. */
static inline void tell(const char *what, long result)
{
	if (result < 0)
		printf("%s: %s\n", what, strerror(errno));
	else
		printf("%s: %ld\n", what, result);
}
