/* Things of every kind that an archive can have. Each is made anew: what is at its place is replaced
 * and never written to, and so no link is followed. Only directories stay. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/unpack_job.h"

/* Tries to make it, and once more when what is at its place is gone; in `made` is the result. */
static int make_new(struct unpack_entry *entry,
	int (*make)(struct unpack_entry *entry, const char *target), const char *target, int *made,
	struct error *err)
{
	*made = make(entry, target);
	if (*made < 0 && errno == EEXIST) {
		if (unpack_entry_clear(entry, err))
			return -1;
		*made = make(entry, target);
	}
	return *made < 0 ? unpack_entry_fail(entry, errno, "cannot be unpacked", err) : 0;
}

static int make_file(struct unpack_entry *entry, const char *target)
{
	return openat(entry->dir, entry->base, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		S_IRUSR | S_IWUSR);
}

static int make_link(struct unpack_entry *entry, const char *target)
{
	return symlinkat(target, entry->dir, entry->base);
}

static int make_fifo(struct unpack_entry *entry, const char *target)
{
	return mkfifoat(entry->dir, entry->base, S_IRUSR | S_IWUSR);
}

static int make_directory(struct unpack_entry *entry, const char *target)
{
	return mkdirat(entry->dir, entry->base, S_IRWXU);
}

static int write_all(int fd, const char *data, size_t size, off_t offset)
{
	while (size) {
		ssize_t n = pwrite(fd, data, size, offset);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			data += n;
			offset += n;
			size -= (size_t)n;
		}
	}
	return 0;
}

/* Only blocks with data come; holes stay holes. */
static int write_content(struct unpack_entry *entry, int fd, int64_t size, struct error *err)
{
	struct archive *archive = entry->job->stream.entries;
	int64_t offset, end = 0;
	const void *data;
	size_t bytes;
	int status;

	while ((status = archive_read_data_block(archive, &data, &bytes, &offset)) == ARCHIVE_OK) {
		if (offset < 0 || offset > size || (int64_t)bytes > size - offset)
			return unpack_entry_fail(
				entry, 0, "has content behind its end: is it damaged?", err);
		if (write_all(fd, data, bytes, offset))
			return unpack_entry_fail(entry, errno, "cannot be written", err);
		if (offset + (int64_t)bytes > end)
			end = offset + (int64_t)bytes;
	}
	if (status != ARCHIVE_EOF)
		return error_set(err, 0, "cannot read %s: %s: %s", entry->job->stream.name,
			entry->name, archive_error_string(archive));
	if (end < size && ftruncate(fd, size))
		return unpack_entry_fail(entry, errno, "cannot be written", err);
	return 0;
}

static int unpack_file(struct unpack_entry *entry, struct error *err)
{
	int64_t size = archive_entry_size(entry->entry);
	cleanup_close int fd = -1;

	if (size < 0)
		return unpack_entry_fail(entry, 0, "has a negative size", err);
	if (unpack_entry_charge(entry, (uint64_t)size, err) ||
		make_new(entry, make_file, NULL, &fd, err) || write_content(entry, fd, size, err))
		return -1;
	return unpack_attributes(entry, fd, err);
}

static int unpack_link(struct unpack_entry *entry, struct error *err)
{
	const char *target = archive_entry_symlink(entry->entry);
	int made;

	if (!target || !target[0])
		return unpack_entry_fail(entry, 0, "is a symbolic link to nothing", err);
	if (make_new(entry, make_link, target, &made, err))
		return -1;
	return unpack_attributes(entry, -1, err);
}

static int unpack_fifo(struct unpack_entry *entry, struct error *err)
{
	int made;

	if (make_new(entry, make_fifo, NULL, &made, err))
		return -1;
	return unpack_attributes(entry, -1, err);
}

/* One that is there stays with what is in it; it has to be accessible for that. */
static int make_or_keep_directory(struct unpack_entry *entry, struct error *err)
{
	struct stat status;
	int made = make_directory(entry, NULL);

	if (made == 0)
		return 0;
	if (errno != EEXIST || fstatat(entry->dir, entry->base, &status, AT_SYMLINK_NOFOLLOW))
		return unpack_entry_fail(entry, errno, "cannot be unpacked", err);
	if (!S_ISDIR(status.st_mode))
		return make_new(entry, make_directory, NULL, &made, err);
	if ((status.st_mode & S_IRWXU) != S_IRWXU && fchmodat(entry->dir, entry->base, S_IRWXU, 0))
		return unpack_entry_fail(entry, errno, "cannot be unpacked", err);
	return 0;
}

static int unpack_directory(struct unpack_entry *entry, struct error *err)
{
	const struct timespec changed = { archive_entry_mtime(entry->entry),
		archive_entry_mtime_nsec(entry->entry) };

	if (!entry->path[0])
		entry->base = ".";
	else if (make_or_keep_directory(entry, err))
		return -1;
	if (folders_set(
		    &entry->job->folders, entry->path, archive_entry_perm(entry->entry), &changed))
		return unpack_entry_fail(entry, errno, "cannot be unpacked", err);
	return unpack_attributes(entry, -1, err);
}

/* The container has its own /dev; tars of whole systems have the nodes of another. */
static int leave_out_device(struct unpack_entry *entry, struct error *err)
{
	if (strncmp(entry->path, "dev/", 4) == 0)
		return 0;
	return unpack_entry_fail(
		entry, 0, "is a device; an image may have them only below dev", err);
}

static int link_to(struct unpack_entry *entry, const char *path, struct error *err)
{
	char parent[PATH_MAX];
	const char *base = entry_path_split(path, parent);
	cleanup_close int from = -1;
	struct stat status, old;
	int dir = folders_open(&entry->job->folders, parent, false);

	from = dir < 0 ? -1 : openat(dir, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (from < 0 || fstatat(from, base[0] ? base : ".", &status, AT_SYMLINK_NOFOLLOW))
		return unpack_entry_fail(
			entry, 0, "is a hard link to something that is not there", err);
	if (S_ISDIR(status.st_mode))
		return unpack_entry_fail(entry, 0, "is a hard link to a directory", err);
	if (unpack_entry_open_parent(entry, true, err))
		return -1;
	if (fstatat(entry->dir, entry->base, &old, AT_SYMLINK_NOFOLLOW) == 0) {
		if (old.st_ino == status.st_ino && old.st_dev == status.st_dev)
			return 0;
		if (unpack_entry_clear(entry, err))
			return -1;
	}
	if (linkat(from, base, entry->dir, entry->base, 0))
		return unpack_entry_fail(entry, errno, "cannot be linked", err);
	return 0;
}

static int unpack_hard_link(struct unpack_entry *entry, const char *target, struct error *err)
{
	char path[PATH_MAX];

	if (entry_path(target, path))
		return unpack_entry_fail(
			entry, 0, "is a hard link that leads out of the image", err);
	if (link_to(entry, path, err))
		return -1;
	return unpack_owner_of_link(entry, path, err);
}

static const struct {
	mode_t type;
	int (*unpack)(struct unpack_entry *entry, struct error *err);
} kinds[] = {
	{ AE_IFREG, unpack_file },
	{ AE_IFLNK, unpack_link },
	{ AE_IFDIR, unpack_directory },
	{ AE_IFIFO, unpack_fifo },
	{ AE_IFCHR, leave_out_device },
	{ AE_IFBLK, leave_out_device },
};

static int unpack_kind(struct unpack_entry *entry, struct error *err)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].type == archive_entry_filetype(entry->entry))
			return kinds[i].unpack(entry, err);
	return unpack_entry_fail(entry, 0, "is of a kind that is not known", err);
}

int unpack_make(struct unpack_entry *entry, struct error *err)
{
	const char *target = archive_entry_hardlink(entry->entry);
	bool is_directory = !target && archive_entry_filetype(entry->entry) == AE_IFDIR;

	if (!entry->path[0] && !is_directory)
		return unpack_entry_fail(entry, 0, "is the root, but no directory", err);
	if (whiteout_own(entry->job, entry->path))
		return unpack_entry_fail(entry, ENOMEM, "cannot be unpacked", err);
	if (target)
		return unpack_hard_link(entry, target, err);
	if (unpack_entry_open_parent(entry, true, err))
		return -1;
	return unpack_kind(entry, err);
}
