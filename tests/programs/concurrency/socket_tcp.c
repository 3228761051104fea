/* TCP over loopback: ephemeral ports, the order of accept, what reads find, half-close, and a
 * refused connection. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "race.h"

#define CLIENTS 5

static struct sockaddr_in address = { .sin_family = AF_INET };

static void *client(void *number)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char line[32];
	long total = 0, n;

	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	for (int i = 0; i < 6; i++) {
		int length = snprintf(line, sizeof(line), "%c%d ", 'a' + (int)(long)number, i);

		must(write(fd, line, (size_t)length) == length);
		compute(500);
	}
	must(shutdown(fd, SHUT_WR) == 0);
	while ((n = read(fd, line, sizeof(line))) > 0)
		total += n;
	must(n == 0 && total == 18);
	return NULL;
}

int main(void)
{
	int server = socket(AF_INET, SOCK_STREAM, 0), other = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in peer;
	socklen_t length = sizeof(address);
	char buffer[64];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(bind(server, (struct sockaddr *)&address, sizeof(address)) == 0);
	must(getsockname(server, (struct sockaddr *)&address, &length) == 0);
	must(connect(other, (struct sockaddr *)&address, sizeof(address)) == -1);
	must(errno == ECONNREFUSED && listen(server, 3) == 0);
	start_processes(CLIENTS, client);
	for (int i = 0; i < CLIENTS; i++) {
		int fd = accept(server, (struct sockaddr *)&peer, &length);
		long n;

		must(fd >= 0);
		printf("port %d from port %d:", ntohs(address.sin_port), ntohs(peer.sin_port));
		while ((n = read(fd, buffer, sizeof(buffer))) > 0) {
			printf(" [%.*s]", (int)n, buffer);
			must(write(fd, buffer, (size_t)n) == n);
		}
		printf("\n");
		close(fd);
	}
	end_processes(CLIENTS);
	return 0;
}
