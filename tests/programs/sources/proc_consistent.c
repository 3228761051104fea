/*
 * A file of /proc reads like one: in pieces as at once, again from the start, through duplicates
 * and in children at the same offset; what is not in the tree is not there by any call; addresses
 * are where maps says. Does not differ natively: it compares what one run sees.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void *volatile nothing = (void *)8;
static char whole[1 << 20], pieces[1 << 20];

static void check(const char *what, int good)
{
	printf("%s: %s\n", what, good ? "yes" : "NO");
}

static size_t read_all(int fd, char *to, size_t step)
{
	size_t done = 0;
	ssize_t n;

	while ((n = read(fd, to + done, step)) > 0)
		done += (size_t)n;
	return done;
}

static void in_pieces(const char *path)
{
	int fd = open(path, O_RDONLY);
	size_t a = read_all(fd, whole, 65536), b;

	lseek(fd, 0, SEEK_SET);
	b = read_all(fd, pieces, 7);
	printf("%s ", path);
	check("in pieces as at once", a && a == b && memcmp(whole, pieces, a) == 0);
	b = (size_t)pread(fd, pieces, 10, 3);
	check("  pread", b == 10 && memcmp(pieces, whole + 3, 10) == 0);
	lseek(fd, 5, SEEK_SET);
	b = (size_t)readv(fd, (struct iovec[2]){ { pieces, 3 }, { pieces + 3, 4 } }, 2);
	check("  readv", b == 7 && memcmp(pieces, whole + 5, 7) == 0);
	check("  offset", lseek(fd, 0, SEEK_CUR) == 12);
	close(fd);
}

static void shared_offset(void)
{
	int fd = open("/proc/meminfo", O_RDONLY), copy = dup(fd);
	char a[16], b[16], c[16];

	check("open", read(fd, a, 16) == 16);
	check("a duplicate goes on", read(copy, b, 16) == 16 && memcmp(a, b, 16) != 0);
	if (fork() == 0)
		_exit(read(fd, c, 16) == 16 ? 0 : 1);
	wait(NULL);
	check("a child moves it", lseek(fd, 0, SEEK_CUR) == 48);
	check("a write is refused", write(fd, "x", 1) < 0 && errno == EBADF);
	check("no memory for it", read(fd, nothing, 16) < 0 && errno == EFAULT);
	close(fd);
	fd = open("/proc/self/comm", O_WRONLY);
	check("nor a read when it is open for writing", read(fd, a, 16) < 0 && errno == EBADF);
	check("the name is written", write(fd, "other", 5) == 5);
	close(fd);
	fd = open("/proc/self/comm", O_RDONLY);
	check("and read", read(fd, a, 16) == 6 && memcmp(a, "other\n", 6) == 0);
	close(fd);
}

static void absent(const char *path)
{
	struct stat st;
	char byte;
	int all = open(path, O_RDONLY) < 0 && errno == ENOENT;

	all &= stat(path, &st) < 0 && errno == ENOENT;
	all &= lstat(path, &st) < 0 && errno == ENOENT;
	all &= access(path, F_OK) < 0 && errno == ENOENT;
	all &= readlink(path, &byte, 1) < 0 && errno == ENOENT;
	printf("%s ", path);
	check("is not there", all);
}

static void address_in_maps(const char *what, const void *address, const char *name)
{
	FILE *file = fopen("/proc/self/maps", "r");
	unsigned long start, end;
	char line[4096], found[4096] = "nowhere";

	while (fgets(line, sizeof(line), file)) {
		char path[4096] = "";

		sscanf(line, "%lx-%lx %*s %*s %*s %*s %4095s", &start, &end, path);
		if ((unsigned long)address >= start && (unsigned long)address < end)
			strcpy(found, path);
	}
	fclose(file);
	printf("%s ", what);
	check("lies where maps says", strstr(found, name) != NULL);
}

/* As text: by relative names and descriptors of directories. */
static void other_ways(void)
{
	int dir = open("/proc", O_RDONLY | O_DIRECTORY), fd = openat(dir, "uptime", O_RDONLY);
	char text[16] = "";

	check("by a directory", read(fd, text, 15) > 0 && strncmp(text, "100", 3) == 0);
	close(fd);
	check("by the current one",
		chdir("/proc/self") == 0 && (fd = open("status", O_RDONLY)) >= 0 &&
			read(fd, text, 5) == 5 && memcmp(text, "Name:", 5) == 0);
	close(fd);
	fd = openat(dir, "kallsyms", O_RDONLY);
	check("never what is not in the tree",
		fd < 0 || (read(fd, text, 1) < 0 && errno == EACCES));
	close(fd);
	close(dir);
}

int main(void)
{
	static int global;
	int local;

	in_pieces("/proc/cpuinfo");
	in_pieces("/proc/self/status");
	in_pieces("/proc/self/maps");
	in_pieces("/proc/self/smaps");
	in_pieces("/proc/self/environ");
	in_pieces("/proc/self/mountinfo");
	in_pieces("/proc/sys/kernel/shmmax");
	shared_offset();
	absent("/proc/kallsyms");
	absent("/proc/pressure/cpu");
	absent("/proc/self/stack");
	absent("/proc//self/./syscall");
	absent("/proc/self/fd/2000");
	absent("/proc/sys/kernel/usermodehelper/bset");
	address_in_maps("code", (void *)main, "proc_consistent");
	address_in_maps("data", &global, "proc_consistent");
	address_in_maps("stack", &local, "[stack]");
	address_in_maps("heap", malloc(10), "[heap]");
	address_in_maps("libc", (void *)printf, "/");
	other_ways();
	return 0;
}
