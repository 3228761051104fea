/* A pipe of one page, full most of the time: how often a nonblocking writer finds it so, how much a
 * write of more than the pipe holds moves at a time, and what FIONREAD says meanwhile. */
#include <fcntl.h>
#include <sys/ioctl.h>

#include "race.h"

#define BYTES 40000

static char buffer[BYTES];

static void drain(int fd, int chunk)
{
	while (read(fd, buffer, (size_t)chunk) > 0)
		compute(500);
	_exit(0);
}

int main(void)
{
	int ends[2], full = 0, writes = 0, held, most = 0;

	must(pipe(ends) == 0 && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
	if (fork() == 0) {
		close(ends[1]);
		drain(ends[0], 700);
	}
	must(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
	for (long done = 0; done < BYTES;) {
		long n = write(ends[1], buffer, 1000);

		if (n < 0) {
			must(errno == EAGAIN);
			full++;
			continue;
		}
		done += n;
		writes++;
		must(ioctl(ends[0], FIONREAD, &held) == 0);
		most = held > most ? held : most;
	}
	printf("%d writes, %d times full, at most %d bytes\n", writes, full, most);
	must(fcntl(ends[1], F_SETFL, 0) == 0);
	must(write(ends[1], buffer, BYTES) == BYTES);
	must(ioctl(ends[0], FIONREAD, &held) == 0);
	printf("after a long write: %d bytes\n", held);
	close(ends[1]);
	must(wait(NULL) > 0);
	return 0;
}
