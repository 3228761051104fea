#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fetch/transfer.h"

#define CHUNK (1 << 20)

static int hex_value(char digit)
{
	return isdigit((unsigned char)digit) ? digit - '0'
					     : tolower((unsigned char)digit) - 'a' + 10;
}

/* Replaces %20 and the like. -1 when what they stand for cannot be in a path. */
static int decode(char *path)
{
	char *to = path;

	for (; *path; path++) {
		if (path[0] == '%' && isxdigit((unsigned char)path[1]) &&
			isxdigit((unsigned char)path[2])) {
			*to = (char)(hex_value(path[1]) * 16 + hex_value(path[2]));
			if (!*to)
				return -1;
			to++;
			path += 2;
		} else {
			*to++ = *path;
		}
	}
	*to = '\0';
	return 0;
}

static int copy_all(struct transfer *transfer, int fd, uint64_t all, struct error *err)
{
	cleanup_free char *buffer = malloc(CHUNK);
	ssize_t n;

	if (!buffer)
		return error_set(err, ENOMEM, "--fetch");
	while ((n = read(fd, buffer, CHUNK)) != 0) {
		if (n < 0)
			return error_set(
				err, errno, "--fetch: cannot read %s", transfer->fetch->url);
		if (transfer_take(transfer, buffer, (size_t)n, all, err))
			return -1;
	}
	return 0;
}

int transfer_file(struct transfer *transfer, struct error *err)
{
	const char *url = transfer->fetch->url;
	cleanup_free char *path = strdup(url + strlen("file://"));
	cleanup_close int fd = -1;
	struct stat status;

	if (!path)
		return error_set(err, ENOMEM, "--fetch");
	if (decode(path))
		return error_set(err, 0, "--fetch %s: %%00 cannot be in a path", url);
	/* Without waiting for the other end of a FIFO. */
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &status))
		return error_set(err, errno, "--fetch: cannot open %s", url);
	if (!S_ISREG(status.st_mode))
		return error_set(err, 0, "--fetch %s: is not a regular file", url);
	return copy_all(transfer, fd, (uint64_t)status.st_size, err);
}
