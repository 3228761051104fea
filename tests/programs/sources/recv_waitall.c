/* A read that waits for all, or for some time, while another process writes with pauses: what it
 * gets and how long that took by the clock is the same each time. */
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>

#include "sockets.h"

static long elapsed(void)
{
	static struct timespec last;
	struct timespec now;
	long ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000;
	last = now;
	return ms;
}

static void writer(int number, int fd)
{
	static char bytes[100000];
	const struct timespec pause = { 0, 30000000 };

	(void)number;
	for (int i = 0; i < 12; i++) {
		must(send(fd, bytes, (size_t)(1000 + i * 500), 0) == 1000 + i * 500);
		nanosleep(&pause, NULL);
	}
	must(send(fd, bytes, sizeof(bytes), 0) == (long)sizeof(bytes));
}

static void read_all(const char *what, int fd, int flags, size_t bytes)
{
	static char buffer[200000];
	struct iovec parts[2] = { { buffer, bytes / 3 },
		{ buffer + bytes / 3, bytes - bytes / 3 } };
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
	long n = recvmsg(fd, &message, flags);

	if (n < 0)
		printf("%s: %s after %ld ms\n", what, strerror(errno), elapsed());
	else
		printf("%s: %ld after %ld ms\n", what, n, elapsed());
}

static void read_from(int reader, int other)
{
	struct timeval patience = { 0, 50000 };

	elapsed();
	start(0, writer, other);
	close(other);
	read_all("all", reader, MSG_WAITALL, 5000);
	read_all("a look at all", reader, MSG_WAITALL | MSG_PEEK, 4000);
	read_all("all", reader, MSG_WAITALL, 10000);
	must(setsockopt(reader, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0);
	read_all("all in time", reader, MSG_WAITALL, 20000);
	read_all("all in time", reader, MSG_WAITALL, 20000);
	patience.tv_usec = 5000;
	must(setsockopt(reader, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0);
	read_all("some in time", reader, 0, 20000);
	read_all("some in time", reader, 0, 20000);
	patience.tv_usec = 0;
	must(setsockopt(reader, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) == 0);
	read_all("the rest", reader, MSG_WAITALL, 200000);
	read_all("the end", reader, MSG_WAITALL, 1);
	wait_for_all();
	close(reader);
}

int main(void)
{
	int ends[2];

	connection(ends);
	read_from(ends[0], ends[1]);
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
	read_from(ends[0], ends[1]);
	return 0;
}
