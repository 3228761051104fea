#include "bundle/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "arena/looks.h"
#include "base/cleanup.h"
#include "base/within.h"
#include "base/write_all.h"

#define INDEX_MAX  (256u << 20)
#define CHUNK	   (1u << 20)
#define LINKS_ROOM "links" /* further names of files, so that they have as many as they had */

struct unpacking {
	struct bundle *bundle;
	const struct bundle_how *how;
	int dir;
	char parent[PATH_MAX]; /* the last directory that was opened, */
	int parent_fd;	       /* or -1 */
	unsigned linked;       /* further names so far */
	struct error *err;
};

static int damaged(const struct bundle *bundle, const char *what, struct error *err)
{
	return error_set(err, 0, "%s: not a bundle, or damaged: %s", bundle->name, what);
}

/* Reading. */

static int open_archive(struct bundle *bundle)
{
	bundle->archive = archive_read_new();
	return !bundle->archive ||
			       archive_read_support_format_gnutar(bundle->archive) != ARCHIVE_OK ||
			       archive_read_support_filter_zstd(bundle->archive) != ARCHIVE_OK ||
			       archive_read_open_fd(bundle->archive, bundle->fd, CHUNK / 16) !=
				       ARCHIVE_OK
		       ? -1
		       : 0;
}

/* The next member, which must have this name and be a plain file; its size, or -1 with err. */
static int64_t next_member(struct bundle *bundle, const char *member, struct error *err)
{
	struct archive_entry *entry;
	int r = archive_read_next_header(bundle->archive, &entry);
	const char *name = r == ARCHIVE_OK ? archive_entry_pathname(entry) : NULL;

	if (r != ARCHIVE_OK && r != ARCHIVE_EOF)
		return damaged(bundle, archive_error_string(bundle->archive), err);
	if (!name || strcmp(name, member) != 0 || archive_entry_filetype(entry) != AE_IFREG ||
		archive_entry_hardlink(entry))
		return error_set(err, 0, "%s: not a bundle, or damaged: %s is not where it must be",
			bundle->name, member);
	return archive_entry_size(entry);
}

static int read_index(struct bundle *bundle, struct error *err)
{
	int64_t size = next_member(bundle, BUNDLE_INDEX, err);
	cleanup_free char *text = NULL;

	if (size < 0)
		return -1;
	if (size > INDEX_MAX)
		return damaged(bundle, "its index is too large", err);
	text = malloc((size_t)size + 1);
	if (!text)
		return error_set(err, ENOMEM, "%s", bundle->name);
	if (archive_read_data(bundle->archive, text, (size_t)size) != size)
		return damaged(bundle, "its index ends early", err);
	return index_read(&bundle->index, text, (size_t)size, bundle->name, err);
}

int bundle_open(struct bundle *bundle, const char *name, struct error *err)
{
	struct stat status;

	*bundle = (struct bundle){ .name = name };
	bundle->fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (bundle->fd < 0 || fstat(bundle->fd, &status))
		return error_set(err, errno, "cannot read the bundle %s", name);
	if (!S_ISREG(status.st_mode))
		return error_set(err, 0, "cannot read the bundle %s: it is not a file", name);
	if (open_archive(bundle))
		return damaged(bundle, "it cannot be read", err);
	return read_index(bundle, err);
}

void bundle_close(struct bundle *bundle)
{
	archive_read_free(bundle->archive);
	index_release(&bundle->index);
	if (bundle->fd >= 0)
		close(bundle->fd);
	*bundle = (struct bundle){ .fd = -1 };
}

int bundle_hash(struct bundle *bundle, char text[HASH_TEXT], struct error *err)
{
	cleanup_free char *buffer = malloc(CHUNK);
	struct hash hash;
	ssize_t n = buffer ? 0 : -1;
	off_t at = 0;

	hash_start(&hash);
	while (buffer && (n = pread(bundle->fd, buffer, CHUNK, at)) > 0) {
		hash_add(&hash, buffer, (size_t)n);
		at += n;
	}
	if (n < 0)
		return error_set(err, errno, "cannot read the bundle %s", bundle->name);
	hash_finish(&hash, text);
	return 0;
}

/* Writing. */

static int fail(struct unpacking *u, const char *path)
{
	return error_set(u->err, errno, "cannot unpack %s of %s", path, u->bundle->name);
}

/* Where a path inside lies below the directory. */
static int place_of(struct unpacking *u, const char *path, char place[PATH_MAX])
{
	const struct bundle_index *index = &u->bundle->index;
	int mount = index_mount_of(index, path), n;

	if (mount < 0)
		n = snprintf(place, PATH_MAX, BUNDLE_ROOT "%s", strcmp(path, "/") ? path : "");
	else
		n = snprintf(place, PATH_MAX, BUNDLE_MOUNTS "/%d%s", mount,
			path + strlen(index->mounts[mount].place));
	errno = ENAMETOOLONG;
	return n < PATH_MAX ? 0 : fail(u, path);
}

/* The directory of a place; no link is followed. Neighbours share it. */
static int open_parent(struct unpacking *u, char place[PATH_MAX], const char **name)
{
	char *slash = strrchr(place, '/');

	*name = slash ? slash + 1 : place;
	if (!slash)
		return u->dir;
	*slash = '\0';
	if (u->parent_fd >= 0 && strcmp(u->parent, place) == 0)
		return u->parent_fd;
	if (u->parent_fd >= 0)
		close(u->parent_fd);
	u->parent_fd = open_within(u->dir, place, O_PATH | O_DIRECTORY | O_CLOEXEC,
		RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
	snprintf(u->parent, sizeof(u->parent), "%s", place);
	return u->parent_fd;
}

/* The content of the member that is next, which must be as the index says. */
static int put_content(
	struct unpacking *u, int fd, const char *member, uint64_t size, const char *expected)
{
	struct archive *archive = u->bundle->archive;
	int64_t there = next_member(u->bundle, member, u->err);
	cleanup_free char *buffer = malloc(CHUNK);
	char text[HASH_TEXT];
	struct hash hash;
	la_ssize_t n = 0;

	if (there < 0)
		return -1;
	if (!buffer)
		return error_set(u->err, ENOMEM, "%s", member);
	hash_start(&hash);
	while (hash.bytes <= size && (n = archive_read_data(archive, buffer, CHUNK)) > 0) {
		hash_add(&hash, buffer, (size_t)n);
		if (write_all(fd, buffer, (size_t)n))
			return fail(u, member);
	}
	if (n < 0)
		return damaged(u->bundle, archive_error_string(archive), u->err);
	hash_finish(&hash, text);
	if ((uint64_t)there != size || strcmp(text, expected) != 0)
		return error_set(u->err, 0,
			"%s: damaged: the content of %s is not what its index says",
			u->bundle->name, member);
	return 0;
}

static int put_bytes(struct unpacking *u, const char *member, const struct bundle_bytes *bytes)
{
	cleanup_close int fd = -1;

	if (!bytes->present)
		return 0;
	fd = openat(u->dir, member, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail(u, member);
	return put_content(u, fd, member, bytes->size, bytes->hash);
}

static int put_labels(const struct bundle_file *file, int fd)
{
	for (size_t i = 0; i < file->label_count; i++)
		if (fsetxattr(fd, file->labels[i].name, file->labels[i].value,
			    file->labels[i].bytes, 0))
			return -1;
	return 0;
}

/* What tells that the content is not there; 0: it is. */
static long mark_of(const struct unpacking *u, const struct bundle_file *file)
{
	if (!u->how->marks || file->type != BUNDLE_FILE || file->state == BUNDLE_READ)
		return 0;
	return file->state == BUNDLE_DENIED ? LOOK_DENIED_NSEC : LOOK_ABSENT_NSEC;
}

static int put_times(
	struct unpacking *u, const struct bundle_file *file, int parent, const char *name)
{
	const struct timespec times[2] = { { 0, 0 },
		{ file->timed ? file->time : 0, mark_of(u, file) } };
	struct stat status;

	if (utimensat(parent, name, times, AT_SYMLINK_NOFOLLOW))
		return -1;
	if (!times[1].tv_nsec)
		return 0;
	errno = EOPNOTSUPP; /* times are kept to the second only: marks would get lost */
	return fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) ||
			       status.st_mtim.tv_nsec != times[1].tv_nsec
		       ? -1
		       : 0;
}

/* The owner first: a change of it takes away permissions. */
static int put_attributes(
	struct unpacking *u, const struct bundle_file *file, int parent, const char *name)
{
	if (u->how->give && index_mount_of(&u->bundle->index, file->path) < 0 &&
		fchownat(parent, name, file->uid, file->gid, AT_SYMLINK_NOFOLLOW))
		return -1;
	if (file->type != BUNDLE_LINK && fchmodat(parent, name, file->mode & 07777, 0))
		return -1;
	return put_times(u, file, parent, name);
}

/* Names that the run did not look at. */
static int put_further_links(
	struct unpacking *u, const struct bundle_file *file, int parent, const char *name)
{
	const struct bundle_index *index = &u->bundle->index;
	unsigned known = 1;

	for (size_t i = 0; file->links > 1 && i < index->file_count; i++)
		known += index->files[i].same && strcmp(index->files[i].same, file->path) == 0;
	for (; known < file->links; known++) {
		char further[64];

		snprintf(further, sizeof(further), LINKS_ROOM "/%u", u->linked++);
		if (linkat(parent, name, u->dir, further, 0))
			return errno == EMLINK ? 0 : -1;
	}
	return 0;
}

static int put_regular(
	struct unpacking *u, const struct bundle_file *file, int parent, const char *name)
{
	cleanup_close int fd =
		openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	cleanup_free char *member = NULL;

	if (fd < 0)
		return fail(u, file->path);
	if (!file->hash[0])
		return ftruncate(fd, (off_t)file->size) || put_labels(file, fd)
			       ? fail(u, file->path)
			       : 0;
	if (asprintf(&member, BUNDLE_CONTENTS "%s", file->path) < 0)
		return error_set(u->err, ENOMEM, "%s", file->path);
	if (put_content(u, fd, member, file->size, file->hash))
		return -1;
	return put_labels(file, fd) ? fail(u, file->path) : 0;
}

static int put_same(
	struct unpacking *u, const struct bundle_file *file, int parent, const char *name)
{
	char place[PATH_MAX];

	if (place_of(u, file->same, place))
		return -1;
	return linkat(u->dir, place, parent, name, 0) ? fail(u, file->path) : 0;
}

static int put_other(const struct bundle_file *file, int parent, const char *name)
{
	switch (file->type) {
	case BUNDLE_DIRECTORY:
		/* The roots are there already; attributes come at the end. */
		return mkdirat(parent, name, 0700) && errno != EEXIST ? -1 : 0;
	case BUNDLE_LINK:
		return symlinkat(file->target, parent, name);
	case BUNDLE_FIFO:
		return mkfifoat(parent, name, 0600);
	default:
		return mknodat(parent, name, S_IFSOCK | 0600, 0);
	}
}

static int put_file(struct unpacking *u, const struct bundle_file *file)
{
	char place[PATH_MAX];
	const char *name;
	int parent;

	if (place_of(u, file->path, place))
		return -1;
	parent = open_parent(u, place, &name);
	if (parent < 0)
		return fail(u, file->path);
	if (file->same)
		return put_same(u, file, parent, name);
	if (file->type == BUNDLE_FILE) {
		if (put_regular(u, file, parent, name))
			return -1;
	} else if (put_other(file, parent, name)) {
		return fail(u, file->path);
	}
	if (file->type == BUNDLE_DIRECTORY)
		return 0;
	return put_attributes(u, file, parent, name) || put_further_links(u, file, parent, name)
		       ? fail(u, file->path)
		       : 0;
}

/* From below to above, since modes can close directories, and names change their times. */
static int finish_directories(struct unpacking *u)
{
	const struct bundle_index *index = &u->bundle->index;

	for (size_t i = index->file_count; i-- > 0;) {
		const struct bundle_file *file = &index->files[i];
		char place[PATH_MAX];
		const char *name;
		int parent;

		if (file->type != BUNDLE_DIRECTORY || file->same)
			continue;
		if (place_of(u, file->path, place))
			return -1;
		parent = open_parent(u, place, &name);
		if (parent < 0 || put_attributes(u, file, parent, name))
			return fail(u, file->path);
	}
	return 0;
}

static int make_roots(struct unpacking *u)
{
	const struct bundle_index *index = &u->bundle->index;

	if (mkdirat(u->dir, BUNDLE_ROOT, 0755) || mkdirat(u->dir, BUNDLE_MOUNTS, 0755) ||
		mkdirat(u->dir, LINKS_ROOM, 0700))
		return fail(u, "the root");
	for (size_t i = 0; i < index->mount_count; i++) {
		char place[64];

		snprintf(place, sizeof(place), BUNDLE_MOUNTS "/%zu", i);
		if (index->mounts[i].directory && mkdirat(u->dir, place, 0755))
			return fail(u, index->mounts[i].place);
		/* A file that nobody looked at. */
		if (!index->mounts[i].directory && !index_find(index, index->mounts[i].place) &&
			mknodat(u->dir, place, S_IFREG | 0644, 0))
			return fail(u, index->mounts[i].place);
	}
	return 0;
}

static int check_size(const struct bundle *bundle, uint64_t limit, struct error *err)
{
	const struct bundle_index *index = &bundle->index;
	uint64_t left = limit;

	for (size_t i = 0; i < index->file_count; i++) {
		const struct bundle_file *file = &index->files[i];
		uint64_t bytes = file->hash[0] ? file->size : 0;

		if (bytes > left)
			return error_set(err, 0,
				"%s: its files have more than %llu bytes; see --image-limit",
				bundle->name, (unsigned long long)limit);
		left -= bytes;
	}
	if (index->input.size > left || index->entropy.size > left)
		return error_set(
			err, 0, "%s: its input is too large; see --image-limit", bundle->name);
	return 0;
}

static int check_end(struct bundle *bundle, struct error *err)
{
	struct archive_entry *entry;
	int r = archive_read_next_header(bundle->archive, &entry);

	if (r == ARCHIVE_EOF)
		return 0;
	return damaged(bundle,
		r == ARCHIVE_OK ? "it has files that its index does not have"
				: archive_error_string(bundle->archive),
		err);
}

static int put_index(struct unpacking *u)
{
	char *text = index_write(&u->bundle->index, true, u->err);
	cleanup_close int fd = -1;
	int failed;

	if (!text)
		return -1;
	fd = openat(u->dir, BUNDLE_INDEX, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	failed = fd < 0 || write_all(fd, text, strlen(text)) || write_all(fd, "\n", 1);
	free(text);
	return failed ? fail(u, "the index") : 0;
}

static int unpack_all(struct unpacking *u)
{
	const struct bundle_index *index = &u->bundle->index;

	if (make_roots(u) || put_bytes(u, BUNDLE_INPUT, &index->input))
		return -1;
	for (size_t i = 0; i < index->file_count; i++)
		if (put_file(u, &index->files[i]))
			return -1;
	return finish_directories(u) || put_bytes(u, BUNDLE_ENTROPY, &index->entropy) ||
			       check_end(u->bundle, u->err) || put_index(u)
		       ? -1
		       : 0;
}

int bundle_unpack(struct bundle *bundle, int dir, const struct bundle_how *how, struct error *err)
{
	struct unpacking u = {
		.bundle = bundle, .how = how, .dir = dir, .parent_fd = -1, .err = err
	};
	int failed = check_size(bundle, how->limit, err) || unpack_all(&u);

	if (u.parent_fd >= 0)
		close(u.parent_fd);
	return failed ? -1 : 0;
}
