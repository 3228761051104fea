/* In which order datagrams of six processes arrive, and how many recvmmsg finds at a time, is the
 * same each time. */
#include "sockets.h"

#define SENDERS 6
#define EACH	6

static void sender(int number, int port)
{
	int fd = connected(SOCK_DGRAM, port);
	char text[EACH][16];
	struct iovec parts[EACH];
	struct mmsghdr messages[EACH] = { 0 };

	for (int i = 0; i < EACH; i++) {
		parts[i] = (struct iovec){ text[i], (size_t)sprintf(text[i], "%d.%d", number, i) };
		messages[i].msg_hdr = (struct msghdr){ .msg_iov = &parts[i], .msg_iovlen = 1 };
	}
	for (int i = 0; i < EACH / 2; i++)
		must(send(fd, text[i], parts[i].iov_len, 0) == (long)parts[i].iov_len);
	must(sendmmsg(fd, messages + EACH / 2, EACH / 2, 0) == EACH / 2);
}

static int receive_row(int fd)
{
	char text[8][16] = { "" };
	struct iovec parts[8];
	struct mmsghdr messages[8] = { 0 };
	int n;

	for (int i = 0; i < 8; i++) {
		parts[i] = (struct iovec){ text[i], 15 };
		messages[i].msg_hdr = (struct msghdr){ .msg_iov = &parts[i], .msg_iovlen = 1 };
	}
	n = recvmmsg(fd, messages, 8, MSG_WAITFORONE, NULL);
	must(n > 0);
	printf("%d:", n);
	for (int i = 0; i < n; i++)
		printf(" %.*s", (int)messages[i].msg_len, text[i]);
	printf("\n");
	return n;
}

int main(void)
{
	int fd = bound(SOCK_DGRAM), left = SENDERS * EACH;

	for (int i = 0; i < SENDERS; i++)
		start(i, sender, port_of(fd));
	for (; left > SENDERS * EACH / 2; left--) {
		struct sockaddr_in from;
		socklen_t length = sizeof(from);
		char text[16];
		long n = recvfrom(fd, text, sizeof(text), 0, (struct sockaddr *)&from, &length);

		must(n > 0);
		printf("%.*s from %d\n", (int)n, text, ntohs(from.sin_port));
	}
	while (left > 0)
		left -= receive_row(fd);
	wait_for_all();
	return 0;
}
