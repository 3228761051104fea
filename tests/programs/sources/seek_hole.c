/*
 * Files have no holes: data up to the end, and there a hole; none can be made.
 * Does not differ natively between two runs on one file system, but between file systems.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void result(const char *what, long r)
{
	printf("%s: %ld %s\n", what, r, r < 0 ? strerror(errno) : "");
}

int main(void)
{
	int fd = open("file", O_CREAT | O_RDWR, 0644);

	result("truncate", ftruncate(fd, 10 << 20));
	result("write", pwrite(fd, "x", 1, 5 << 20));
	result("data at 0", lseek(fd, 0, SEEK_DATA));
	result("hole at 0", lseek(fd, 0, SEEK_HOLE));
	result("offset", lseek(fd, 0, SEEK_CUR));
	result("data at 6M", lseek(fd, 6 << 20, SEEK_DATA));
	result("data at the end", lseek(fd, 10 << 20, SEEK_DATA));
	result("hole at the end", lseek(fd, 10 << 20, SEEK_HOLE));
	result("hole before the start", lseek(fd, -1, SEEK_HOLE));
	result("room ahead", fallocate(fd, 0, 0, 11 << 20));
	result("its end", lseek(fd, 0, SEEK_END));
	result("room behind the end", fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 12 << 20));
	result("its end", lseek(fd, 0, SEEK_END));
	result("punch", fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096));
	result("zero", fallocate(fd, FALLOC_FL_ZERO_RANGE, 0, 4096));
	result("collapse", fallocate(fd, FALLOC_FL_COLLAPSE_RANGE, 0, 4096));
	result("nothing", fallocate(fd, 0, 0, 0));
	result("closed", fallocate(77, 0, 0, 1));
	result("closed", lseek(77, 0, SEEK_HOLE));
	return 0;
}
