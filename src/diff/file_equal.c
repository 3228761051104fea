#include "diff/file_equal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define AHEAD (4u << 20)
#define CHUNK (256u << 10) /* two of them stay in the cache of a core */

/* -1 with errno, which is 0 when the file ends before. */
static int read_chunk(int fd, unsigned char *data, size_t bytes)
{
	while (bytes) {
		ssize_t n = read(fd, data, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n ? errno : 0;
			return -1;
		}
		data += n;
		bytes -= (size_t)n;
	}
	return 0;
}

/* The disk is to read both at once, ahead of us; the kernel by itself goes on with one at a time. */
static void read_ahead(const int fds[2], uint64_t from, uint64_t bytes)
{
	for (uint64_t at = from; at < from + bytes; at += CHUNK)
		for (int side = 0; side < 2; side++)
			posix_fadvise(fds[side], (off_t)at, CHUNK, POSIX_FADV_WILLNEED);
}

int file_equal(struct diff *diff, const int fds[2], uint64_t size, int *unreadable)
{
	uint64_t room = size < CHUNK ? size : CHUNK;
	cleanup_free unsigned char *chunks = malloc(2 * room + 1);

	*unreadable = 0;
	if (!chunks)
		return -1;
	if (size > CHUNK)
		read_ahead(fds, 0, size < AHEAD ? size : AHEAD);
	for (uint64_t done = 0; done < size; done += room) {
		uint64_t bytes = size - done < room ? size - done : room;

		for (int side = 0; side < 2; side++)
			if (read_chunk(fds[side], chunks + (uint64_t)side * room, bytes)) {
				*unreadable = side;
				return -1;
			}
		if (done + AHEAD < size)
			read_ahead(fds, done + AHEAD, CHUNK);
		if (memcmp(chunks, chunks + room, bytes) != 0)
			return 0;
		diff->done += bytes;
		if (diff->options->progress)
			diff->options->progress(diff->done, 0);
	}
	return 1;
}
