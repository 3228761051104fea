/*
 * Where a file lies on a disk, and what else the file system knows of it, is not told; copies work
 * between all file systems, and unaligned direct transfers too.
 * Does not differ natively on file systems without these.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static void result(const char *what, long r)
{
	printf("%s: %ld %s\n", what, r, r < 0 ? strerror(errno) : "");
}

int main(void)
{
	struct fiemap map = { .fm_length = ~0ull };
	int fd = open("file", O_CREAT | O_RDWR | O_DIRECT, 0644), block = 0, n = 0;
	int other = open("/tmp/other", O_CREAT | O_RDWR | O_TRUNC, 0644);
	char buffer[32] = { 0 };
	off_t from = 1, to = 3;
	struct termios terminal;
	long flags = 0;

	result("open", fd);
	result("write", write(fd, "some text", 9));
	result("FIEMAP", ioctl(fd, FS_IOC_FIEMAP, &map));
	result("FIBMAP", ioctl(fd, FIBMAP, &block));
	result("FIGETBSZ", ioctl(fd, FIGETBSZ, &n));
	printf("%d\n", n);
	result("GETFLAGS", ioctl(fd, FS_IOC_GETFLAGS, &flags));
	result("GETVERSION", ioctl(fd, FS_IOC_GETVERSION, &flags));
	result("FSGETXATTR", ioctl(fd, FS_IOC_FSGETXATTR, buffer));
	result("FICLONE", ioctl(other, FICLONE, fd));
	result("terminal", tcgetattr(fd, &terminal));
	lseek(fd, 4, SEEK_SET);
	result("FIONREAD", ioctl(fd, FIONREAD, &n));
	printf("%d\n", n);
	result("copy", copy_file_range(fd, &from, other, &to, 100, 0));
	printf("%ld %ld\n", (long)from, (long)to);
	lseek(fd, 0, SEEK_SET);
	lseek(other, 0, SEEK_SET);
	result("copy", copy_file_range(fd, NULL, other, NULL, 4, 0));
	result("copy at the end", copy_file_range(fd, &from, other, NULL, 4, 0));
	result("read", pread(other, buffer, sizeof(buffer), 0));
	printf("%s\n", buffer);
	result("directory", ioctl(open(".", O_RDONLY), FS_IOC_GETFLAGS, &flags));
	return 0;
}
