/* More connections than the backlog has room for: all are made at once, as the kernel would else
 * have them tried again after some real time. Does not differ natively: there they wait. */
#include <fcntl.h>

#include "sockets.h"

#define CLIENTS 20

int main(void)
{
	int server = listening(2), fds[CLIENTS], made = 0;
	struct sockaddr_in name = loopback(port_of(server));

	for (int i = 0; i < CLIENTS; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		must(connect(fds[i], (struct sockaddr *)&name, sizeof(name)) < 0);
		must(errno == EINPROGRESS);
	}
	for (int i = 0; i < CLIENTS; i++)
		made += strcmp(events_of(fds[i]), " out") == 0;
	printf("%d of %d\n", made, CLIENTS);
	for (int i = 0; i < made; i++) {
		struct sockaddr_in peer;
		socklen_t length = sizeof(peer);

		must(accept(server, (struct sockaddr *)&peer, &length) >= 0);
		printf("%d ", ntohs(peer.sin_port) == port_of(fds[i]));
	}
	printf("\n");
	return 0;
}
