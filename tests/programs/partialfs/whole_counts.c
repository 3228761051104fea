/*
 * Reads and writes in the current directory, which lies on partialfs: how many bytes each call
 * moves. Natively 1, but for the programs that ask again; under Stet all that there are.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

static char text[] = "twelve bytes";
enum { BYTES = sizeof(text) - 1 };

static void writes(int fd)
{
	struct iovec parts[2] = { { text, 5 }, { text + 5, BYTES - 5 } };

	printf("write: %zd\n", write(fd, text, BYTES));
	printf("pwrite: %zd\n", pwrite(fd, text, BYTES, 0));
	lseek(fd, 0, SEEK_SET);
	printf("writev: %zd\n", writev(fd, parts, 2));
	printf("offset: %ld\n", (long)lseek(fd, 0, SEEK_CUR));
	printf("pwritev: %zd\n", pwritev(fd, parts, 2, 0));
	printf("pwritev2: %zd\n", pwritev2(fd, parts, 2, 0, 0));
}

static void reads(int fd)
{
	char buffer[64] = { 0 };
	struct iovec parts[3] = { { buffer, 3 }, { buffer + 3, 4 }, { buffer + 7, 40 } };

	lseek(fd, 0, SEEK_SET);
	printf("read to the end: %zd %s\n", read(fd, buffer, sizeof(buffer) - 1), buffer);
	printf("read at the end: %zd\n", read(fd, buffer, sizeof(buffer)));
	memset(buffer, 0, sizeof(buffer));
	printf("pread: %zd %s\n", pread(fd, buffer, 6, 3), buffer);
	lseek(fd, 0, SEEK_SET);
	memset(buffer, 0, sizeof(buffer));
	printf("readv: %zd %s\n", readv(fd, parts, 3), buffer);
	printf("offset: %ld\n", (long)lseek(fd, 0, SEEK_CUR));
	memset(buffer, 0, sizeof(buffer));
	printf("preadv: %zd %s\n", preadv(fd, parts, 2, 1), buffer);
	printf("preadv2: %zd %s\n", preadv2(fd, parts, 2, 0, 0), buffer);
}

int main(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0644);

	if (fd < 0) {
		perror("file");
		return 1;
	}
	writes(fd);
	reads(fd);
	close(fd);
	return unlink("file");
}
