#include "base/write_all.h"

#include <errno.h>
#include <unistd.h>

int write_all(int fd, const void *data, size_t bytes)
{
	const char *at = data;

	while (bytes > 0) {
		ssize_t n = write(fd, at, bytes);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			at += n;
			bytes -= (size_t)n;
		}
	}
	return 0;
}
