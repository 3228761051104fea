/* In which order twelve processes that connect at the same time are accepted, and from which ports,
 * is the same each time. */
#include "sockets.h"

#define CLIENTS 12

static void client(int number, int port)
{
	char text[32], answer;
	int fd = connected(SOCK_STREAM, port);
	int length = snprintf(text, sizeof(text), "client %d from %d", number, port_of(fd));

	must(write(fd, text, (size_t)length) == length);
	must(read(fd, &answer, 1) == 1);
}

int main(void)
{
	int server = listening(CLIENTS);

	for (int i = 0; i < CLIENTS; i++)
		start(i, client, port_of(server));
	for (int i = 0; i < CLIENTS; i++) {
		struct sockaddr_in peer;
		socklen_t length = sizeof(peer);
		int fd = accept(server, (struct sockaddr *)&peer, &length);
		char text[33] = "";

		must(fd >= 0 && read(fd, text, 32) > 0);
		printf("%s, is %d\n", text, ntohs(peer.sin_port));
		must(write(fd, "", 1) == 1);
		close(fd);
	}
	wait_for_all();
	return 0;
}
