/*
 * Ports that the kernel would choose: bind to 0, listen, connect and sendto without bind, IPv4 and
 * IPv6, a port that somebody has, in several processes; and what the peer sees.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SO_COOKIE
#define SO_COOKIE 57
#endif

static int port_of(int fd)
{
	struct sockaddr_in6 a = { 0 };
	socklen_t length = sizeof(a);

	getsockname(fd, (struct sockaddr *)&a, &length);
	return ntohs(a.sin6_port);
}

static struct sockaddr_in local(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

static int bound(int type, int port)
{
	struct sockaddr_in a = local(port);
	int fd = socket(AF_INET, type, 0);

	if (bind(fd, (struct sockaddr *)&a, sizeof(a)))
		printf("bind: %s\n", strerror(errno));
	return fd;
}

static int connected(int port)
{
	struct sockaddr_in a = local(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (connect(fd, (struct sockaddr *)&a, sizeof(a)))
		printf("connect: %s\n", strerror(errno));
	return fd;
}

static void tcp(void)
{
	int server = bound(SOCK_STREAM, 0), client, peer;
	struct sockaddr_in a;
	socklen_t length = sizeof(a);

	printf("bound %d\n", port_of(server));
	listen(server, 5);
	client = connected(port_of(server));
	peer = accept(server, (struct sockaddr *)&a, &length);
	printf("client %d, seen as %d\n", port_of(client), ntohs(a.sin_port));
	getpeername(client, (struct sockaddr *)&a, &length);
	printf("server seen as %d, on its side %d\n", ntohs(a.sin_port), port_of(peer));
	printf("refused: ");
	connected(9);
	server = socket(AF_INET6, SOCK_STREAM, 0);
	listen(server, 5);
	printf("listening without bind %d\n", port_of(server));
	bound(SOCK_STREAM, 32775); /* the next but one */
}

static void udp(void)
{
	int receiver = bound(SOCK_DGRAM, 0), sender = socket(AF_INET, SOCK_DGRAM, 0), six;
	struct sockaddr_in to = local(port_of(receiver)), from;
	struct sockaddr_in6 any = { .sin6_family = AF_INET6 };
	socklen_t length = sizeof(from);
	char byte;

	sendto(sender, "x", 1, 0, (struct sockaddr *)&to, sizeof(to));
	recvfrom(receiver, &byte, 1, 0, (struct sockaddr *)&from, &length);
	printf("udp %d from %d = %d\n", port_of(receiver), ntohs(from.sin_port), port_of(sender));
	six = socket(AF_INET6, SOCK_DGRAM, 0);
	printf("not bound %d, ", port_of(six));
	bind(six, (struct sockaddr *)&any, sizeof(any));
	printf("bound %d\n", port_of(six));
	printf("again: %d\n",
		bind(six, (struct sockaddr *)&any, sizeof(any)) < 0 && errno == EINVAL);
}

static void options(void)
{
	int a = socket(AF_INET, SOCK_STREAM, 0), b = socket(AF_UNIX, SOCK_DGRAM, 0), cpu = -1;
	uint64_t cookie[3] = { 0 };
	socklen_t length = sizeof(cookie[0]), small = sizeof(cpu);

	getsockopt(a, SOL_SOCKET, SO_COOKIE, &cookie[0], &length);
	getsockopt(b, SOL_SOCKET, SO_COOKIE, &cookie[1], &length);
	getsockopt(a, SOL_SOCKET, SO_COOKIE, &cookie[2], &length);
	getsockopt(a, SOL_SOCKET, SO_INCOMING_CPU, &cpu, &small);
	printf("cookies %lu %lu %lu, cpu %d\n", cookie[0], cookie[1], cookie[2], cpu);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	tcp();
	udp();
	for (int i = 0; i < 2; i++) {
		if (fork() == 0) {
			printf("child %d\n", port_of(bound(SOCK_STREAM, 0)));
			_exit(0);
		}
		wait(NULL);
	}
	options();
	return 0;
}
