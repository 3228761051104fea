/* What files have beside their content: owner, mode, times, and extended attributes. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/unpack_job.h"

/* (uid_t)-1 means nobody, to the kernel too. */
static bool is_id(int64_t id)
{
	return id >= 0 && id < UINT32_MAX;
}

static int note_owner(
	struct unpack_entry *entry, const char *path, uid_t uid, gid_t gid, struct error *err)
{
	struct owners *owners = entry->job->unpack->owners;
	char absolute[PATH_MAX + 1];

	snprintf(absolute, sizeof(absolute), "/%s", path);
	if (uid == 0 && gid == 0 && !owners_find(owners, absolute))
		return 0;
	return owners_add(owners, absolute, uid, gid, err);
}

static int set_owner(struct unpack_entry *entry, int fd, struct error *err)
{
	int64_t uid = archive_entry_uid(entry->entry), gid = archive_entry_gid(entry->entry);
	int failed;

	if (!is_id(uid) || !is_id(gid))
		return unpack_entry_fail(entry, 0, "has an owner that cannot be", err);
	if (!entry->job->unpack->give)
		return entry->job->unpack->owners
			       ? note_owner(entry, entry->path, (uid_t)uid, (gid_t)gid, err)
			       : 0;
	failed = fd >= 0 ? fchown(fd, (uid_t)uid, (gid_t)gid)
			 : fchownat(entry->dir, entry->base, (uid_t)uid, (gid_t)gid,
				   AT_SYMLINK_NOFOLLOW);
	return failed ? unpack_entry_fail(entry, errno, "cannot be given to its owner", err) : 0;
}

int unpack_owner_of_link(struct unpack_entry *entry, const char *target, struct error *err)
{
	struct owners *owners = entry->job->unpack->owners;
	const struct owner *owner;
	char absolute[PATH_MAX + 1];

	if (entry->job->unpack->give || !owners)
		return 0;
	snprintf(absolute, sizeof(absolute), "/%s", target);
	owner = owners_find(owners, absolute);
	return note_owner(entry, entry->path, owner ? owner->uid : 0, owner ? owner->gid : 0, err);
}

/* Those that programs can have set. What overlays keep there would mean something to ours. */
static bool is_kept(const char *name)
{
	return strncmp(name, "user.", 5) == 0 && strncmp(name, "user.overlay.", 13) != 0;
}

static int set_extended(struct unpack_entry *entry, int fd, struct error *err)
{
	const char *name;
	const void *value;
	size_t size;

	archive_entry_xattr_reset(entry->entry);
	while (archive_entry_xattr_next(entry->entry, &name, &value, &size) == ARCHIVE_OK)
		if (is_kept(name) && fsetxattr(fd, name, value, size, 0))
			return unpack_entry_fail(
				entry, errno, "has extended attributes that cannot be set", err);
	return 0;
}

static int set_extended_of_directory(struct unpack_entry *entry, struct error *err)
{
	cleanup_close int fd = -1;

	if (archive_entry_xattr_count(entry->entry) == 0)
		return 0;
	fd = openat(entry->dir, entry->base, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return unpack_entry_fail(entry, errno, "cannot be opened", err);
	return set_extended(entry, fd, err);
}

static int set_mode_and_times(struct unpack_entry *entry, int fd, struct error *err)
{
	const struct timespec times[2] = { { .tv_nsec = UTIME_OMIT },
		{ archive_entry_mtime(entry->entry), archive_entry_mtime_nsec(entry->entry) } };
	mode_t mode = archive_entry_perm(entry->entry);
	int failed;

	if (fd >= 0)
		failed = fchmod(fd, mode) || futimens(fd, times);
	else
		failed = (archive_entry_filetype(entry->entry) != AE_IFLNK &&
				 fchmodat(entry->dir, entry->base, mode, 0)) ||
			 utimensat(entry->dir, entry->base, times, AT_SYMLINK_NOFOLLOW);
	return failed ? unpack_entry_fail(entry, errno, "cannot be given its mode and times", err)
		      : 0;
}

int unpack_attributes(struct unpack_entry *entry, int fd, struct error *err)
{
	if (set_owner(entry, fd, err))
		return -1;
	if (archive_entry_filetype(entry->entry) == AE_IFDIR)
		return set_extended_of_directory(entry, err);
	if (fd >= 0 && set_extended(entry, fd, err))
		return -1;
	return set_mode_and_times(entry, fd, err);
}
