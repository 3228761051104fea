#include "box/times.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/inodes.h"

#define NSEC 1000000000

struct walk {
	const struct arena *arena;
	dev_t device;
};

static struct timespec time_of(int64_t time)
{
	int64_t nsec = time % NSEC;

	if (nsec < 0)
		nsec += NSEC;
	return (struct timespec){ .tv_sec = (time - nsec) / NSEC, .tv_nsec = nsec };
}

static void leave(const struct walk *walk, int dir, const char *name, ino_t number)
{
	const struct inode *inode = inodes_find(walk->arena, walk->device, number);
	struct timespec times[2];

	if (!inode || !(inode->flags & INODE_CHANGED))
		return;
	times[0] = time_of(inode->atime);
	times[1] = time_of(inode->mtime);
	utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW);
}

static void walk_into(const struct walk *walk, int parent, const char *name);

static void walk_entry(const struct walk *walk, int dir, const char *name)
{
	struct stat status;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
		fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) || status.st_dev != walk->device)
		return;
	if (S_ISDIR(status.st_mode))
		walk_into(walk, dir, name);
	leave(walk, dir, name, status.st_ino);
}

static void walk_into(const struct walk *walk, int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NOATIME | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		walk_entry(walk, dirfd(dir), entry->d_name);
	closedir(dir);
}

void times_leave(const struct container *container)
{
	const struct box_config *config = container->config;
	struct walk walk = { .arena = container->arena };
	struct stat status;

	for (size_t i = 0; i < config->mount_count; i++) {
		const char *inside = config->mounts[i].inside;

		if (config->mounts[i].mode != BOX_MOUNT_RW || stat(inside, &status) ||
			!inodes_changed(container->arena, status.st_dev))
			continue;
		walk.device = status.st_dev;
		if (S_ISDIR(status.st_mode))
			walk_into(&walk, AT_FDCWD, inside);
		leave(&walk, AT_FDCWD, inside, status.st_ino);
	}
}

bool times_changed(const struct arena *arena, const char *path, struct stat *status)
{
	const struct inode *inode;
	struct stat seen;

	if ((arena->config.relax & RELAX_MTIME) || lstat(path, &seen))
		return false;
	inode = inodes_find(arena, seen.st_dev, seen.st_ino);
	if (!inode || !(inode->flags & INODE_CHANGED))
		return false;
	status->st_atim = time_of(inode->atime);
	status->st_mtim = time_of(inode->mtime);
	return true;
}
