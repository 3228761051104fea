#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

#define CHUNK (1 << 24)

static int fail(const struct new_file *file, const char *path, struct error *err)
{
	return error_set(err, errno, "%s: cannot write %s", file->option, path);
}

/* The directory of a path, without symbolic links; to be freed. NULL with errno. */
static char *directory_of(const char *path)
{
	cleanup_free char *copy = strdup(path);
	char *slash = copy ? strrchr(copy, '/') : NULL;

	if (!copy)
		return NULL;
	if (!slash)
		return realpath(".", NULL);
	slash[slash == copy] = '\0';
	return realpath(copy, NULL);
}

/* The name that the path will have, when nothing is there yet. */
static char *name_in(const char *directory, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	char *full;

	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		errno = EISDIR;
		return NULL;
	}
	if (asprintf(&full, "%s/%s", strcmp(directory, "/") ? directory : "", name) < 0)
		return NULL;
	return full;
}

/* Where a file system cannot have files without a name, the file is copied there at its end: until
 * then a command whose directory it is must not see it. */
static int open_elsewhere(const char *directory)
{
	cleanup_free char *probe = NULL;
	cleanup_file FILE *file = NULL;
	int fd;

	if (asprintf(&probe, "%s/.stet-XXXXXX", directory) < 0)
		return -1;
	fd = mkostemp(probe, O_CLOEXEC);
	if (fd < 0)
		return -1;
	close(fd);
	unlink(probe);
	file = tmpfile();
	return file ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
}

static int open_unnamed(struct new_file *file)
{
	cleanup_free char *directory = directory_of(file->path);

	if (!directory)
		return -1;
	file->fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	file->beside = file->fd >= 0;
	if (file->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))
		file->fd = open_elsewhere(directory);
	return file->fd < 0 ? -1 : 0;
}

/* What the caller has open is not replaced, even if it is a regular file. */
static bool is_descriptor(const char *path)
{
	static const char *const names[] = { "/dev/stdout", "/dev/stderr", "/dev/fd/", "/proc/" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strncmp(path, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

int new_file_open(struct new_file *file, const char *option, const char *path, struct error *err)
{
	cleanup_free char *directory = NULL;
	struct stat status;

	*file = (struct new_file){ .fd = -1, .option = option };
	if (stat(path, &status) == 0) {
		if (S_ISDIR(status.st_mode))
			errno = EISDIR;
		else if (!S_ISREG(status.st_mode) || is_descriptor(path))
			file->fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
		else if (access(path, W_OK) == 0)
			file->path = realpath(path, NULL);
	} else if (errno == ENOENT) {
		directory = directory_of(path);
		file->path = directory ? name_in(directory, path) : NULL;
	}
	if (file->fd < 0 && (!file->path || open_unnamed(file)))
		return fail(file, path, err);
	return 0;
}

static int copy_to(int from, const char *path)
{
	cleanup_close int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	off_t at = 0;
	ssize_t n;

	if (to < 0)
		return -1;
	do
		n = sendfile(to, from, &at, CHUNK);
	while (n > 0);
	return n < 0 ? -1 : 0;
}

static int link_to(int from, const char *path)
{
	char link[32];

	snprintf(link, sizeof(link), "/proc/self/fd/%d", from);
	return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

/* A link cannot take the place of a file, a renamed file can. */
static int replace(const struct new_file *file)
{
	cleanup_free char *directory = directory_of(file->path), *name = NULL;
	uint64_t number;

	if (!directory || getrandom(&number, sizeof(number), 0) < 0 ||
		asprintf(&name, "%s/.stet-%016llx", directory, (unsigned long long)number) < 0)
		return -1;
	if ((file->beside ? link_to(file->fd, name) : copy_to(file->fd, name)) == 0 &&
		rename(name, file->path) == 0)
		return 0;
	number = (uint64_t)errno;
	unlink(name);
	errno = (int)number;
	return -1;
}

int new_file_finish(struct new_file *file, struct error *err)
{
	if (!file->path || (file->beside && link_to(file->fd, file->path) == 0))
		return 0;
	return replace(file) ? fail(file, file->path, err) : 0;
}

void new_file_release(struct new_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->path);
	*file = (struct new_file)NEW_FILE_NONE;
}
