/* Shared by the programs about files: short ways to say what a file looks like. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static inline void check(int ok, const char *what)
{
	if (!ok) {
		printf("%s: %s\n", what, strerror(errno));
		exit(1);
	}
}

static inline long long ns(struct timespec t)
{
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* The second, and what is below ten nanoseconds: natively that is never twice the same. */
static inline void show_time(const char *what, struct timespec t)
{
	printf(" %s %lld.%ld", what, (long long)t.tv_sec, t.tv_nsec % 10);
}

static inline struct stat look(const char *path)
{
	struct stat st;

	check(lstat(path, &st) == 0, path);
	return st;
}

static inline void touch(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT, 0644);

	check(fd >= 0, path);
	close(fd);
}
