/* A connect that does not wait: what poll and SO_ERROR tell afterwards, and who cannot be reached
 * at all: everybody outside. Does not run natively: there may be a network. */
#include <fcntl.h>
#include <netdb.h>

#include "sockets.h"

static int start_to(const char *address, int port, int type)
{
	struct sockaddr_in name = { .sin_family = AF_INET,
		.sin_port = htons((unsigned short)port) };
	int fd = socket(AF_INET, type | SOCK_NONBLOCK, 0);

	must(inet_pton(AF_INET, address, &name.sin_addr) == 1);
	tell(address, connect(fd, (struct sockaddr *)&name, sizeof(name)));
	return fd;
}

static void outcome(int fd)
{
	int error = -1;
	socklen_t length = sizeof(error);

	printf("poll:%s;", events_of(fd));
	must(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0);
	printf(" error: %s\n", error ? strerror(error) : "none");
}

static void v6(void)
{
	struct sockaddr_in6 name = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	socklen_t length = sizeof(name);
	int server = socket(AF_INET6, SOCK_STREAM, 0), fd = socket(AF_INET6, SOCK_STREAM, 0);
	char text[8];

	must(bind(server, (struct sockaddr *)&name, sizeof(name)) == 0 && listen(server, 1) == 0);
	must(getsockname(server, (struct sockaddr *)&name, &length) == 0);
	tell("::1", connect(fd, (struct sockaddr *)&name, sizeof(name)));
	must(send(fd, "hello", 5, 0) == 5);
	fd = accept(server, NULL, NULL);
	tell("came", recv(fd, text, sizeof(text), MSG_DONTWAIT));
}

int main(void)
{
	struct addrinfo *found;
	int server = listening(5), port = port_of(server),
	    fd = start_to("127.0.0.1", port, SOCK_STREAM);
	struct sockaddr_in name = loopback(port);

	outcome(fd);
	tell("again", connect(fd, (struct sockaddr *)&name, sizeof(name)));
	tell("and again", connect(fd, (struct sockaddr *)&name, sizeof(name)));
	outcome(start_to("127.0.0.7", port, SOCK_STREAM));
	close(server);
	outcome(start_to("127.0.0.1", port, SOCK_STREAM));
	start_to("10.1.2.3", 80, SOCK_STREAM);
	start_to("10.1.2.3", 53, SOCK_DGRAM);
	fd = start_to("127.0.0.1", port, SOCK_DGRAM);
	tell("send", send(fd, "x", 1, 0));
	outcome(fd);
	v6();
	printf("example.com: %s\n", gai_strerror(getaddrinfo("example.com", "http", NULL, &found)));
	return 0;
}
