/* How much each read of a connection finds, while another process writes, is the same each time. */
#include "sockets.h"

static void writer(int number, int port)
{
	static char bytes[200000];
	int fd = connected(SOCK_STREAM, port);

	for (int i = 0; i < 60; i++) {
		size_t length = (size_t)(i * 7919 + number) % 5000 + 1;

		must(send(fd, bytes, length, 0) == (long)length);
	}
	must(write(fd, bytes, sizeof(bytes)) == (long)sizeof(bytes));
}

int main(void)
{
	static char bytes[30000];
	int server = listening(4);

	start(0, writer, port_of(server));
	int fd = accept(server, NULL, NULL);
	long n, sum = 0;

	for (size_t asked = 1000; (n = recv(fd, bytes, asked, 0)) > 0; asked = asked * 3 % 29989) {
		printf("%ld of %zu\n", n, asked);
		sum += n;
	}
	printf("%ld in all\n", sum);
	wait_for_all();
	return 0;
}
