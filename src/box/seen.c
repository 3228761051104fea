#include "box/seen.h"

#include "arena/inodes.h"
#include "box/file_owners.h"

#define NSEC 1000000000

/* The container saw it through the overlay, under other numbers than here. */
const struct inode *seen_inode(const struct changes *changes, const char *path)
{
	struct stat seen;

	return lstat(path[0] ? path : "/", &seen)
		       ? NULL
		       : inodes_find(changes->arena, seen.st_dev, seen.st_ino);
}

static struct timespec time_of(int64_t time)
{
	int64_t nsec = time % NSEC;

	if (nsec < 0)
		nsec += NSEC;
	return (struct timespec){ .tv_sec = (time - nsec) / NSEC, .tv_nsec = nsec };
}

static void see_times(const struct arena *arena, const struct inode *inode, struct stat *status)
{
	const struct machine *machine = &arena->config.machine;

	if (arena->config.relax & RELAX_MTIME)
		return;
	status->st_atim = status->st_mtim =
		(struct timespec){ machine->epoch - 1, machine->epoch_nsec };
	if (inode) {
		status->st_atim = time_of(inode->atime);
		status->st_mtim = time_of(inode->mtime);
	}
}

struct stat seen_status(const struct changes *changes, const struct change *change)
{
	const struct inode *inode = seen_inode(changes, change->path);
	struct stat status = *change->status;

	file_owners_show(changes->arena, change->path, inode, &status);
	see_times(changes->arena, inode, &status);
	return status;
}
