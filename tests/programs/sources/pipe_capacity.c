/* How much a pipe takes before a write has to wait: 16 pages, into the last of which small writes
 * go as long as they fit. Nothing blocks here that does not block natively, nor the other way
 * round. Does not differ natively: one process alone. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../check.h"

static char bytes[200000];
static int ends[2];

static void new_pipe(void)
{
	close(ends[0]);
	close(ends[1]);
	must(pipe(ends) == 0);
}

static int inside(void)
{
	int count;

	must(ioctl(ends[0], FIONREAD, &count) == 0);
	return count;
}

static bool takes(void)
{
	struct pollfd poll_end = { ends[1], POLLOUT, 0 };

	return poll(&poll_end, 1, 0) == 1;
}

static void nonblocking(int on)
{
	must(ioctl(ends[1], FIONBIO, &on) == 0);
}

/* Writes of one size, until they would block. */
static void fill_by(size_t size)
{
	int writes = 0;

	new_pipe();
	nonblocking(1);
	while (write(ends[1], bytes, size) == (ssize_t)size)
		writes++;
	printf("writes of %zu: %d, %d bytes, %s\n", size, writes, inside(), strerror(errno));
}

static void room_after_reading(size_t size)
{
	must(read(ends[0], bytes, size) == (ssize_t)size);
	printf("%zu read: %s\n", size, takes() ? "room" : "no room");
}

/* The last page has room for a byte, though poll says that there is none. */
static void last_byte(void)
{
	new_pipe();
	for (int i = 0; i < 16; i++)
		must(write(ends[1], bytes, 4095) == 4095);
	printf("16 x 4095: %s\n", takes() ? "room" : "no room");
	printf("one more: %zd\n", write(ends[1], bytes, 1));
	nonblocking(1);
	printf("and one more: %zd\n", write(ends[1], bytes, 1));
}

static void after_a_little(void)
{
	new_pipe();
	must(write(ends[1], bytes, 10) == 10);
	printf("10, then 61440: %zd\n", write(ends[1], bytes, 61440));
	nonblocking(1);
	printf("then 5000: %zd\n", write(ends[1], bytes, 5000));
}

int main(void)
{
	new_pipe();
	printf("capacity %d\n", fcntl(ends[1], F_GETPIPE_SZ));
	printf("all of it: %zd\n", write(ends[1], bytes, 65536));
	printf("%s\n", takes() ? "room" : "no room");
	room_after_reading(1);
	room_after_reading(4094);
	room_after_reading(1);
	fill_by(1);
	fill_by(3000);
	fill_by(4096);
	fill_by(4097);
	last_byte();
	after_a_little();
	printf("nothing: %zd", write(ends[1], bytes, 0));
	new_pipe();
	printf(" %zd\n", read(ends[0], bytes, 0));
	printf("wrong ends: %zd", read(ends[1], bytes, 1));
	printf(" %zd\n", write(ends[0], bytes, 1));
	return 0;
}
