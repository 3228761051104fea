#include "image/remove.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

/* Directories that are open at one time, a descriptor and 32 KiB each. What lies deeper is moved up
 * first. */
#define OPEN_AT_ONCE 32

/* Where things that lie too deep are moved to: the directory that is being removed. */
struct top {
	int fd;
	unsigned long moved;
};

static int remove_entry(
	struct top *top, int dir, const char *name, unsigned char type, unsigned depth);

/* Its owner can read and empty it, whatever its mode was. */
static int open_directory(int dir, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(dir, name, flags);
	struct stat status;

	if (fd < 0 && errno == EACCES && fchmodat(dir, name, S_IRWXU, 0) == 0)
		fd = openat(dir, name, flags);
	if (fd >= 0 && fstat(fd, &status) == 0 && (status.st_mode & S_IRWXU) != S_IRWXU)
		fchmod(fd, S_IRWXU);
	return fd;
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Takes the descriptor. */
static int empty(struct top *top, int fd, unsigned depth)
{
	cleanup_dir DIR *listing = fdopendir(fd);
	struct dirent *entry;

	if (!listing) {
		close(fd);
		return -1;
	}
	while (errno = 0, entry = readdir(listing))
		if (!is_dot(entry->d_name) &&
			remove_entry(top, fd, entry->d_name, entry->d_type, depth))
			return -1;
	return errno ? -1 : 0;
}

static int move_up(struct top *top, int dir, const char *name)
{
	char number[32];
	int failed;

	do {
		snprintf(number, sizeof(number), "%lu", top->moved++);
		failed = renameat2(dir, name, top->fd, number, RENAME_NOREPLACE);
	} while (failed && errno == EEXIST);
	return failed;
}

static int remove_directory(struct top *top, int dir, const char *name, unsigned depth)
{
	int fd;

	if (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return 0;
	fd = open_directory(dir, name);
	if (fd < 0)
		return -1;
	if (depth == OPEN_AT_ONCE) {
		close(fd);
		return move_up(top, dir, name);
	}
	if (empty(top, fd, depth + 1))
		return -1;
	return unlinkat(dir, name, AT_REMOVEDIR);
}

static int remove_entry(
	struct top *top, int dir, const char *name, unsigned char type, unsigned depth)
{
	if (type != DT_DIR && (unlinkat(dir, name, 0) == 0 || errno == ENOENT))
		return 0;
	if (type != DT_DIR && errno != EISDIR && errno != EPERM)
		return -1;
	return remove_directory(top, dir, name, depth);
}

/* What was moved up may have come behind the place that its listing had reached: once more then. */
static int remove_top(int dir, const char *name, int fd)
{
	struct top top = { .fd = fd };
	int copy;

	do {
		copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (copy < 0 || empty(&top, copy, 1))
			return -1;
		if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
			return 0;
	} while (errno == ENOTEMPTY);
	return -1;
}

int remove_tree(int dir, const char *name)
{
	cleanup_close int fd = -1;

	if (unlinkat(dir, name, 0) == 0)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0)
		return 0;
	fd = open_directory(dir, name);
	return fd < 0 ? -1 : remove_top(dir, name, fd);
}
