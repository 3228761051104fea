/* UDP over loopback: in which order datagrams of several senders arrive, from which ports; and who
 * of them is answered. */
#include <arpa/inet.h>
#include <sys/socket.h>

#include "race.h"

#define SENDERS 4
#define EACH	8

static struct sockaddr_in address = { .sin_family = AF_INET };

static void *send_some(void *number)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	char message[16];

	must(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
	for (int i = 0; i < EACH; i++) {
		int n = snprintf(message, sizeof(message), "%c%d", 'a' + (int)(long)number, i);

		must(send(fd, message, (size_t)n, 0) == n);
		compute(300);
	}
	must(recv(fd, message, sizeof(message), 0) == 2 && memcmp(message, "ok", 2) == 0);
	return NULL;
}

int main(void)
{
	int server = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in from;
	socklen_t length = sizeof(address);
	char message[16];

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	must(bind(server, (struct sockaddr *)&address, sizeof(address)) == 0);
	must(getsockname(server, (struct sockaddr *)&address, &length) == 0);
	start_processes(SENDERS, send_some);
	for (int i = 0; i < SENDERS * EACH; i++) {
		long n = recvfrom(
			server, message, sizeof(message), 0, (struct sockaddr *)&from, &length);

		must(n == 2);
		printf("%.*s:%d ", (int)n, message, ntohs(from.sin_port));
		if (message[1] == '0' + EACH - 1)
			must(sendto(server, "ok", 2, 0, (struct sockaddr *)&from, length) == 2);
	}
	printf("\n");
	end_processes(SENDERS);
	return 0;
}
