#include "image/folders.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/entry_path.h"

#define MODE_OF_UNNAMED 0755 /* of directories that an archive has files in, but no entry for */

void folders_start(struct folders *folders, int root, bool give)
{
	*folders = (struct folders){ .root = root, .give = give, .fd = -1 };
}

static struct folder *append(struct folders *folders, const char *path)
{
	struct folder *list = folders->list;
	struct name *name;

	if (folders->count == folders->room) {
		size_t room = folders->room ? 2 * folders->room : 256;

		list = reallocarray(list, room, sizeof(*list));
		if (!list)
			return NULL;
		folders->list = list;
		folders->room = room;
	}
	name = names_add(&folders->names, path, folders->count);
	if (!name)
		return NULL;
	list[folders->count].path = name->text;
	return &list[folders->count++];
}

int folders_set(
	struct folders *folders, const char *path, mode_t mode, const struct timespec *changed)
{
	const struct name *known = names_find(&folders->names, path);
	struct folder *folder = known ? &folders->list[known->number] : append(folders, path);

	if (!folder)
		return -1;
	folder->mode = mode & 07777;
	folder->changed = *changed;
	return 0;
}

/* One that is not known yet was there before: it is to be in the end as it is now. Says whether it
 * has to be made accessible, or -1. */
static int learn(struct folders *folders, const char *path, int fd)
{
	struct stat status;

	if (names_find(&folders->names, path))
		return 0;
	if (fstat(fd, &status) || folders_set(folders, path, status.st_mode, &status.st_mtim))
		return -1;
	return (status.st_mode & S_IRWXU) != S_IRWXU;
}

static int make_folder(struct folders *folders, const char *path, int parent, const char *name)
{
	const struct timespec never = { 0 };

	if (mkdirat(parent, name, S_IRWXU))
		return errno == EEXIST ? 0 : -1;
	if (folders->give && fchownat(parent, name, 0, 0, AT_SYMLINK_NOFOLLOW))
		return -1;
	return folders_set(folders, path, MODE_OF_UNNAMED, &never);
}

static void keep(struct folders *folders, int fd, size_t length)
{
	if (folders->fd >= 0)
		close(folders->fd);
	folders->fd = fd;
	folders->path[length] = 0;
}

/* From the directory that is open one step down, to the one whose path is the first `length` bytes
 * of folders->path. */
static int step(struct folders *folders, const char *name, size_t length, bool make)
{
	const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	int fd = openat(folders->fd, name, flags), closed;

	if (fd < 0 && errno == ENOENT && make &&
		make_folder(folders, folders->path, folders->fd, name) == 0)
		fd = openat(folders->fd, name, flags);
	if (fd < 0)
		return -1;
	closed = learn(folders, folders->path, fd);
	if (closed > 0)
		closed = fchmodat(folders->fd, name, S_IRWXU, 0);
	keep(folders, fd, length);
	return closed;
}

static int open_root(struct folders *folders)
{
	int fd = fcntl(folders->root, F_DUPFD_CLOEXEC, 0), closed;

	if (fd < 0)
		return -1;
	keep(folders, fd, 0);
	closed = learn(folders, "", fd);
	return closed > 0 ? fchmod(fd, S_IRWXU) : closed;
}

/* How many bytes of the open one's path the other has too, in whole parts. */
static size_t shared(const char *open, const char *path)
{
	size_t i = 0, whole = 0;

	for (; open[i] && open[i] == path[i]; i++)
		if (open[i] == '/')
			whole = i;
	if ((open[i] == 0 || open[i] == '/') && (path[i] == 0 || path[i] == '/'))
		whole = i;
	return whole;
}

static size_t count_parts(const char *path, size_t from, size_t to)
{
	size_t count = to > from;

	for (size_t i = from + 1; i < to; i++)
		count += path[i] == '/';
	return count;
}

static int go_up(struct folders *folders)
{
	const char *slash = strrchr(folders->path, '/');
	int fd = openat(folders->fd, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	keep(folders, fd, slash ? (size_t)(slash - folders->path) : 0);
	return 0;
}

/* Opens a directory that the path leads through: one near to the open one, or the root. */
static int approach(struct folders *folders, const char *path)
{
	size_t whole = shared(folders->path, path), length = strlen(folders->path);

	if (folders->fd < 0 || count_parts(folders->path, whole, length) >
				       count_parts(folders->path, 0, whole) + 1)
		return open_root(folders);
	while (strlen(folders->path) > whole)
		if (go_up(folders))
			return -1;
	return 0;
}

/* What cannot be gone on from is closed: its path may say something else by then. */
static int give_up(struct folders *folders)
{
	int cause = errno;

	keep(folders, -1, 0);
	errno = cause;
	return -1;
}

void folders_close(struct folders *folders)
{
	keep(folders, -1, 0);
}

int folders_open(struct folders *folders, const char *path, bool make)
{
	size_t at;

	if (approach(folders, path))
		return give_up(folders);
	at = strlen(folders->path);
	while (path[at]) {
		char name[NAME_MAX + 1];
		size_t length;

		if (at)
			folders->path[at++] = '/';
		length = strcspn(path + at, "/");
		memcpy(name, path + at, length);
		name[length] = 0;
		memcpy(folders->path + at, name, length + 1);
		at += length;
		if (step(folders, name, at, make))
			return give_up(folders);
	}
	return folders->fd;
}

static int finish(struct folders *folders, const struct folder *folder)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT }, folder->changed };
	char parent[PATH_MAX];
	const char *name = entry_path_split(folder->path, parent);
	int dir = folders_open(folders, parent, false);
	cleanup_close int fd = dir < 0 ? -1
				       : openat(dir, name[0] ? name : ".",
						 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0) /* it was deleted, or replaced by something else */
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -1;
	return fchmod(fd, folder->mode) || futimens(fd, times) ? -1 : 0;
}

int folders_finish(struct folders *folders, struct error *err)
{
	for (size_t i = folders->count; i-- > 0;)
		if (finish(folders, &folders->list[i]))
			return error_set(err, errno, "cannot set the mode of the directory /%s",
				folders->list[i].path);
	return 0;
}

void folders_release(struct folders *folders)
{
	keep(folders, -1, 0);
	free(folders->list);
	names_release(&folders->names);
}
