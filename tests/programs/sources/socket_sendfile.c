/* A file that is sent over a connection, through a process that splices it from one connection to
 * another, to a reader that takes its time: what the reader gets at each read is the same each
 * time. */
#include <fcntl.h>
#include <sys/sendfile.h>

#include "sockets.h"

#define BYTES 2000000

static int make_file(void)
{
	FILE *file = tmpfile();

	must(file);
	for (int i = 0; i < BYTES / 10; i++)
		fprintf(file, "%09d\n", i);
	must(fflush(file) == 0);
	return fileno(file);
}

static void sender(int number, int port)
{
	int in = make_file(), out = connected(SOCK_STREAM, port);
	off_t at = 0;

	(void)number;
	must(sendfile(out, in, &at, BYTES) == BYTES && at == BYTES);
}

static void splicer(int server, int port)
{
	int in = accept(server, NULL, NULL), out = connected(SOCK_STREAM, port), ends[2];
	long n;

	must(in >= 0 && pipe(ends) == 0);
	while ((n = splice(in, NULL, ends[1], NULL, 100000, SPLICE_F_MOVE)) > 0)
		while (n > 0) {
			long moved = splice(
				ends[0], NULL, out, NULL, (size_t)n, SPLICE_F_MOVE | SPLICE_F_MORE);

			must(moved > 0);
			n -= moved;
		}
	must(n == 0);
}

int main(void)
{
	static char bytes[50000];
	int server = listening(2), middle = listening(2);
	unsigned long sum = 0, all = 0;
	long n;

	start(middle, splicer, port_of(server));
	start(0, sender, port_of(middle));
	int fd = accept(server, NULL, NULL);

	for (size_t asked = 20000; (n = recv(fd, bytes, asked, 0)) > 0; asked = asked * 3 % 49999) {
		for (long i = 0; i < n; i++)
			sum = sum * 31 + (unsigned char)bytes[i];
		all += (unsigned long)n;
		if (n != (long)asked)
			printf("%ld of %zu\n", n, asked);
	}
	printf("%lu bytes, %lx\n", all, sum);
	wait_for_all();
	return 0;
}
