/* socketpairs of all three types: how messages of several senders mix, how much a stream's read
 * finds, and whether a sender finds no room at last. */
#include <sys/socket.h>

#include "race.h"

#define SENDERS 4
#define EACH	12

static int ends[2], type;

static void *send_some(void *number)
{
	char message[16];

	for (int i = 0; i < EACH; i++) {
		int n = snprintf(message, sizeof(message), "%c%02d%.*s", 'a' + (int)(long)number, i,
			i % 3, "..");

		must(send(ends[1], message, (size_t)n, 0) == n);
		compute(200);
	}
	return NULL;
}

static void go(const char *name)
{
	char buffer[40];
	long n, total = 0;

	must(socketpair(AF_UNIX, type, 0, ends) == 0);
	start_processes(SENDERS, send_some);
	printf("%s:", name);
	for (; total < SENDERS * EACH * 4; total += n) {
		n = recv(ends[0], buffer, sizeof(buffer), 0);
		must(n > 0);
		printf(" %.*s", (int)n, buffer);
	}
	printf("\n");
	end_processes(SENDERS);
	must(recv(ends[0], buffer, sizeof(buffer), MSG_DONTWAIT) == -1 && errno == EAGAIN);
}

int main(void)
{
	char byte = 0;
	int sent = 0;

	type = SOCK_STREAM;
	go("stream");
	type = SOCK_DGRAM;
	go("datagrams");
	type = SOCK_SEQPACKET;
	go("packets");
	while (send(ends[1], &byte, 1, MSG_DONTWAIT) == 1)
		sent++;
	must(errno == EAGAIN);
	printf("room for some: %s\n", sent > 10 ? "yes" : "no");
	return 0;
}
