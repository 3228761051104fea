#include "box/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/within.h"
#include "box/stage.h"

int inside_open(const char *path, int flags)
{
	cleanup_close int root = open(STAGE_ROOT, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return root < 0 ? -1 : open_within(root, path, flags, RESOLVE_IN_ROOT);
}

int inside_name(int fd, char *out, size_t size)
{
	char link[64], path[STAGE_PATH];
	size_t skip = strlen(STAGE_ROOT);
	ssize_t n;

	snprintf(link, sizeof(link), STAGE_HOST "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return -1;
	path[n] = '\0';
	if (strncmp(path, STAGE_ROOT, skip) != 0 || (path[skip] && path[skip] != '/')) {
		errno = ENOENT;
		return -1;
	}
	n = snprintf(out, size, "%s", path[skip] ? path + skip : "/");
	errno = ENAMETOOLONG;
	return (size_t)n < size ? 0 : -1;
}

/* Makes one component in a directory that exists. */
static int make_one(struct record *record, int parent, const char *name, int directory)
{
	char path[PATH_MAX];
	int fd;

	if (directory ? mkdirat(parent, name, 0755) : mknodat(parent, name, S_IFREG | 0644, 0))
		return -1;
	fd = openat(parent, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (inside_name(fd, path, sizeof(path)) || !record_add(record, PLACED_POINT, path)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Walks down, making what is missing; every step is resolved inside the root. */
static int make_all(struct record *record, const char *path, int directory)
{
	char sofar[PATH_MAX];
	int fd = -1;

	for (const char *end = path + 1; end; end = *end ? end + 1 : NULL) {
		cleanup_close int parent = fd;
		const char *name;

		end = strchrnul(end, '/');
		snprintf(sofar, sizeof(sofar), "%.*s", (int)(end - path), path);
		fd = inside_open(sofar, O_PATH);
		if (fd >= 0 || errno != ENOENT)
			continue;
		if (parent < 0)
			parent = inside_open("/", O_PATH);
		name = strrchr(sofar, '/') + 1;
		fd = make_one(record, parent, name, *end || directory);
		if (fd < 0)
			return -1;
	}
	return fd;
}

int inside_point(
	struct record *record, const char *path, int directory, char *name, struct error *err)
{
	int fd;

	if (path[0] != '/' || strlen(path) >= PATH_MAX)
		return error_set(err, 0, "%s: a place inside is an absolute path", path);
	fd = make_all(record, path, directory);
	if (fd < 0 || inside_name(fd, name, PATH_MAX)) {
		error_set(err, errno, "cannot make the mount point %s in the container", path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	return fd;
}
