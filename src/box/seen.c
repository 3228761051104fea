#include "box/seen.h"

#include "arena/inodes.h"

#define NSEC	    1000000000
#define OVERFLOW_ID 65534 /* how the kernel shows ids that a user namespace does not have */

/* The container saw it through the overlay, under other numbers than here. */
const struct inode *seen_inode(const struct changes *changes, const char *path)
{
	struct stat seen;

	return lstat(path[0] ? path : "/", &seen)
		       ? NULL
		       : inodes_find(changes->arena, seen.st_dev, seen.st_ino);
}

/* What came with the image belongs to root. */
static unsigned owner(unsigned now, const unsigned *before)
{
	return now == OVERFLOW_ID || (before && *before == now) ? 0 : now;
}

static void see_owner(const struct changes *changes, const struct change *change,
	const struct inode *inode, struct stat *status)
{
	bool known = change->lower != NULL;
	struct stat before;

	known = known && changes_before(changes, change->lower, &before) == 0;
	if (inode && (inode->flags & INODE_OWNED) &&
		!(changes->arena->config.relax & RELAX_INODE)) {
		status->st_uid = inode->uid;
		status->st_gid = inode->gid;
		return;
	}
	status->st_uid = owner(status->st_uid, known ? &before.st_uid : NULL);
	status->st_gid = owner(status->st_gid, known ? &before.st_gid : NULL);
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

	see_owner(changes, change, inode, &status);
	see_times(changes->arena, inode, &status);
	return status;
}
