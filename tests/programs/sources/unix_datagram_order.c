/* Datagrams of six processes to a UNIX socket, whose queue is full most of the time: in which order
 * they arrive, and packets of sequenced pairs, is the same each time. */
#include <stddef.h>
#include <sys/un.h>

#include "sockets.h"

#define SENDERS 6
#define EACH	8

static struct sockaddr_un name = { AF_UNIX, "\0stet-test-datagrams" };

static void sender(int number, int argument)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	char text[16];

	(void)argument;
	for (int i = 0; i < EACH; i++) {
		int length = sprintf(text, "%d.%d", number, i);

		must(sendto(fd, text, (size_t)length, 0, (struct sockaddr *)&name, sizeof(name)) ==
			length);
	}
}

static void packets(int number, int fd)
{
	char bytes[100] = "";

	for (int i = 1; i <= 10; i++)
		must(send(fd, bytes, (size_t)(number * 10 + i), 0) == number * 10 + i);
}

int main(void)
{
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0), pair[2];
	char text[100];

	must(bind(fd, (struct sockaddr *)&name, sizeof(name)) == 0);
	for (int i = 0; i < SENDERS; i++)
		start(i, sender, 0);
	for (int i = 0; i < SENDERS * EACH; i++) {
		long n = recv(fd, text, sizeof(text), 0);

		must(n > 0);
		printf("%.*s%s", (int)n, text, i % EACH == EACH - 1 ? "\n" : " ");
	}
	wait_for_all();
	must(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
	for (int i = 0; i < 4; i++)
		start(i, packets, pair[1]);
	close(pair[1]);
	for (long n; (n = recv(pair[0], text, sizeof(text), 0)) > 0;)
		printf("%ld ", n);
	printf("\n");
	wait_for_all();
	return 0;
}
