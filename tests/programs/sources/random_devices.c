/*
 * /dev/random and /dev/urandom: 30 reads of 3907 bytes from both (more than a pipe holds), in every
 * way to read, through every way to get a descriptor; and what else one can do with them.
 */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t hash(uint64_t h, const unsigned char *bytes, long count)
{
	for (long i = 0; i < count; i++)
		h = (h ^ bytes[i]) * 0x100000001b3ull;
	return h;
}

static void many(const char *path)
{
	static unsigned char bytes[3907];
	int fd = open(path, O_RDONLY);
	uint64_t h = 0xcbf29ce484222325ull;

	for (int i = 0; i < 30; i++) {
		long n = read(fd, bytes, sizeof(bytes));

		if (n != sizeof(bytes))
			printf("short: %ld\n", n);
		h = hash(h, bytes, n);
	}
	printf("%s: %016lx, last %02x%02x, offset %ld\n", path, h, bytes[3905], bytes[3906],
		(long)lseek(fd, 0, SEEK_CUR));
	close(fd);
}

static void say(const char *what, long result)
{
	if (result < 0)
		printf("%s: %s\n", what, strerror(errno));
	else
		printf("%s: %ld\n", what, result);
}

static void ways(int fd)
{
	unsigned char a[16] = "", b[16] = "";
	struct iovec parts[2] = { { a, 5 }, { b, 11 } }, bad[2] = { { a, 5 }, { NULL, 11 } };
	void *volatile nowhere = NULL;
	volatile int too_many = 2000;

	say("pread", pread(fd, a, 16, 5));
	printf("%02x%02x\n", a[0], a[15]);
	say("pread before the start", pread(fd, a, 16, -1));
	say("readv", readv(fd, parts, 2));
	printf("%02x%02x\n", a[0], b[10]);
	say("preadv", preadv(fd, parts, 2, 77));
	say("preadv2", preadv2(fd, parts, 2, -1, 0));
	printf("%02x%02x\n", a[0], b[10]);
	say("half of it", readv(fd, bad, 2));
	say("none of it", readv(fd, bad + 1, 1));
	say("too many", readv(fd, parts, too_many));
	say("unknown flag", preadv2(fd, parts, 2, -1, 1 << 30));
	say("nothing", read(fd, nowhere, 0));
	say("nowhere", read(fd, nowhere, 1));
}

static void rest(int fd)
{
	struct pollfd ready = { fd, POLLIN | POLLOUT, 0 };
	int only_write = open("/dev/urandom", O_WRONLY), bits = 0, ends[2];
	unsigned char byte;

	say("read of a descriptor for writing", read(only_write, &byte, 1));
	say("write", write(only_write, "entropy", 7));
	say("poll", poll(&ready, 1, 0));
	say("entropy", ioctl(fd, RNDGETENTCNT, &bits));
	printf("%d bits, events %x\n", bits, ready.revents);
	say("mmap", mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED ? -1 : 0);
	if (pipe(ends))
		return;
	say("splice", splice(fd, NULL, ends[1], NULL, 8, 0));
	say("sendfile", sendfile(ends[1], fd, NULL, 8));
	say("sendfile of nothing", sendfile(ends[1], fd, NULL, 0));
}

int main(void)
{
	unsigned char byte = 0;
	int fd;

	setvbuf(stdout, NULL, _IONBF, 0);
	if (fork() == 0) { /* a stream that the C library has not used */
		many("/dev/random");
		many("/dev/urandom");
		fd = open("/dev/urandom", O_RDONLY);
		ways(fd);
		rest(fd);
		dup2(fd, 100);
		close(fd);
		say("copy", read(100, &byte, 1));
		printf("%02x\n", byte);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
