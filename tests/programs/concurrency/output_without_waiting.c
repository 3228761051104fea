/* A program that does not want to wait for who takes its output: how often it is told to try again,
 * and how much it gets rid of at a time. Does not differ natively: there the output is a file. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/select.h>

#include "race.h"

#define BYTES 2000000

static char text[100000];

static int wait_for_room(int way)
{
	struct pollfd poll_one = { 1, POLLOUT, 0 };
	struct timeval limit = { 0, 1000 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(1, &set);
	return way ? poll(&poll_one, 1, 1) : select(2, NULL, &set, NULL, &limit);
}

int main(void)
{
	long written = 0, again = 0, less = 0, late = 0;

	memset(text, '.', sizeof(text));
	must(fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK) == 0);
	while (written < BYTES) {
		ssize_t bytes = write(1, text, sizeof(text));

		must(bytes > 0 || errno == EAGAIN);
		again += bytes < 0;
		less += bytes > 0 && bytes < (ssize_t)sizeof(text);
		written += bytes > 0 ? bytes : 0;
		late += wait_for_room(bytes & 1) == 0;
	}
	must(fcntl(1, F_GETFL) & O_NONBLOCK);
	fprintf(stderr, "%ld bytes, %ld times less than all, %ld times again, %ld times late\n",
		written, less, again, late);
	return 0;
}
