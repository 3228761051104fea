/*
 * Names that the kernel makes up for UNIX sockets (autobind: by bind, and by SO_PASSCRED), and port
 * ids of netlink sockets beyond a process's first.
 */
#define _GNU_SOURCE 1
#include <linux/netlink.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void show(const char *what, int fd)
{
	struct sockaddr_un a = { 0 };
	socklen_t length = sizeof(a);

	getsockname(fd, (struct sockaddr *)&a, &length);
	printf("%s: %u bytes, @%.*s\n", what, length, (int)(length > 3 ? length - 3 : 0),
		a.sun_path + 1);
}

static int named(int type)
{
	const sa_family_t family = AF_UNIX;
	int fd = socket(AF_UNIX, type, 0);

	bind(fd, (const struct sockaddr *)&family, sizeof(family));
	return fd;
}

static void netlink(const char *what)
{
	struct sockaddr_nl a = { .nl_family = AF_NETLINK };
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	socklen_t length = sizeof(a);

	bind(fd, (struct sockaddr *)&a, sizeof(a));
	getsockname(fd, (struct sockaddr *)&a, &length);
	if ((int)a.nl_pid == getpid())
		printf("%s: the process's number\n", what);
	else
		printf("%s: %d\n", what, (int)a.nl_pid);
}

int main(void)
{
	const int yes = 1;
	int server = named(SOCK_DGRAM), pair[2], client;
	struct sockaddr_un to;
	socklen_t length = sizeof(to);

	show("datagram", server);
	bind(server, (const struct sockaddr *)&(sa_family_t){ AF_UNIX }, sizeof(sa_family_t));
	show("again", server);
	show("stream", named(SOCK_STREAM));
	getsockname(server, (struct sockaddr *)&to, &length);
	client = socket(AF_UNIX, SOCK_DGRAM, 0);
	sendto(client, "x", 1, 0, (struct sockaddr *)&to, length);
	show("sent without credentials", client);
	setsockopt(client, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes));
	sendto(client, "x", 1, 0, (struct sockaddr *)&to, length);
	show("sent with credentials", client);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes));
	if (write(pair[0], "x", 1) == 1 && send(pair[0], "x", 1, 0) == 1)
		show("pair", pair[0]);
	netlink("first");
	netlink("second");
	netlink("third");
	return 0;
}
