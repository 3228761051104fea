/* What sockets tell of the host and of the moment: buffer sizes, the time at which a message
 * came. */
#define _GNU_SOURCE 1
#include <arpa/inet.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void buffers(const char *what, int fd)
{
	int receive = 0, send = 0;
	socklen_t length = sizeof(send);

	getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive, &length);
	getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send, &length);
	printf("%s: receives %d, sends %d\n", what, receive, send);
}

static void receive(int fd)
{
	char byte, control[256];
	struct iovec part = { &byte, 1 };
	struct msghdr message = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = sizeof(control) };

	recvmsg(fd, &message, 0);
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
		long time[2];

		memcpy(time, CMSG_DATA(c), sizeof(time));
		printf("control message %d: %zu bytes, %ld %09ld\n", c->cmsg_type, c->cmsg_len,
			time[0], time[1]);
	}
}

static void times(void)
{
	const int yes = 1;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(a);
	struct timeval time = { 0 };

	bind(fd, (struct sockaddr *)&a, sizeof(a));
	getsockname(fd, (struct sockaddr *)&a, &length);
	ioctl(fd, SIOCGSTAMP, &time); /* from now on times are noted */
	sendto(fd, "x", 1, 0, (struct sockaddr *)&a, sizeof(a));
	receive(fd);
	printf("last packet: %d, ", ioctl(fd, SIOCGSTAMP, &time));
	printf("%ld %06ld\n", (long)time.tv_sec, (long)time.tv_usec);
	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMP, &yes, sizeof(yes));
	sendto(fd, "x", 1, 0, (struct sockaddr *)&a, sizeof(a));
	receive(fd);
	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof(yes));
	sendto(fd, "x", 1, 0, (struct sockaddr *)&a, sizeof(a));
	receive(fd);
}

static void pace(int fd)
{
	struct tcp_info info;
	socklen_t length = sizeof(info);

	getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length);
	printf("state %d, round trip %u\n", info.tcpi_state, info.tcpi_rtt);
}

int main(void)
{
	int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	int small = 20000;
	struct sockaddr_in a;
	socklen_t length = sizeof(a);

	listen(server, 1);
	getsockname(server, (struct sockaddr *)&a, &length);
	buffers("tcp", client);
	connect(client, (struct sockaddr *)&a, length);
	buffers("connected", client);
	setsockopt(client, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	buffers("set", client);
	buffers("udp", socket(AF_INET, SOCK_DGRAM, 0));
	buffers("unix", socket(AF_UNIX, SOCK_STREAM, 0));
	pace(client);
	times();
	return 0;
}
