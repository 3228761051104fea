#include "box/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/undo.h"
#include "base/cleanup.h"
#include "base/within.h"
#include "base/write_all.h"

#define PIECE	    65536
#define PERMISSIONS 07777

/* A file that was made again has another number. */
struct remade {
	uint64_t device, before, now;
};

struct undo {
	const struct box_config *config;
	int file; /* the arena's */
	uint64_t *records;
	size_t count;
	struct remade *remade;
	size_t remade_count;
};

/* A record, as it was read and checked. */
struct step {
	struct undo_record head;
	char path[PATH_MAX], other[PATH_MAX];
	uint64_t content; /* where it is in the file */
};

/* A name in a directory. */
struct spot {
	int parent;
	char name[NAME_MAX + 1];
};

static int read_at(int fd, void *to, uint64_t bytes, uint64_t at)
{
	return pread(fd, to, bytes, (off_t)at) == (ssize_t)bytes ? 0 : -1;
}

/* Notes where each record begins. */
static int find_records(struct undo *undo, uint64_t used)
{
	for (uint64_t at = 0; at < used;) {
		struct undo_record head;
		uint64_t *records;

		if (used - at < sizeof(head) ||
			read_at(undo->file, &head, sizeof(head), ARENA_UNDO_OFFSET + at) ||
			head.bytes < sizeof(head) || head.bytes % 8 || head.bytes > used - at)
			return -1;
		records = reallocarray(undo->records, undo->count + 1, sizeof(*records));
		if (!records)
			return -1;
		undo->records = records;
		records[undo->count++] = at;
		at += head.bytes;
	}
	return 0;
}

static int read_path(const struct undo *undo, char path[PATH_MAX], uint32_t bytes, uint64_t at)
{
	return bytes == 0 || bytes > PATH_MAX || read_at(undo->file, path, bytes, at) ||
			       path[bytes - 1]
		       ? -1
		       : 0;
}

static int read_step(const struct undo *undo, size_t index, struct step *step)
{
	uint64_t at = ARENA_UNDO_OFFSET + undo->records[index];
	struct undo_record *head = &step->head;
	uint64_t texts;

	if (read_at(undo->file, head, sizeof(*head), at) ||
		read_path(undo, step->path, head->path_bytes, at + sizeof(*head)) ||
		read_path(undo, step->other, head->other_bytes,
			at + sizeof(*head) + head->path_bytes))
		return -1;
	texts = sizeof(*head) + head->path_bytes + head->other_bytes;
	step->content = at + texts;
	return head->bytes < texts || head->content_bytes > head->bytes - texts ? -1 : 0;
}

/* What lies behind the mount's place in a path, or NULL. */
static const char *below(const char *path, const char *inside)
{
	size_t length = strlen(inside);

	return strncmp(path, inside, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* The mount that holds the path. */
static const struct box_mount *mount_of(const struct undo *undo, const char *path)
{
	const struct box_mount *found = NULL;

	for (size_t i = 0; i < undo->config->mount_count; i++) {
		const struct box_mount *mount = &undo->config->mounts[i];

		if (below(path, mount->inside) &&
			(!found || strlen(mount->inside) >= strlen(found->inside)))
			found = mount;
	}
	return found && found->mode == BOX_MOUNT_RW ? found : NULL;
}

/* Opens the directory that the path is in. -1 with errno. */
static int find_spot(const struct undo *undo, const char *path, struct spot *spot)
{
	const struct box_mount *mount = mount_of(undo, path);
	cleanup_close int root = -1;
	char directory[PATH_MAX];
	const char *rest, *last;

	spot->parent = -1;
	errno = EINVAL;
	if (!mount)
		return -1;
	rest = below(path, mount->inside);
	last = strrchr(rest, '/');
	last = last ? last + 1 : rest;
	if (!*last || strlen(last) > NAME_MAX || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
		return -1;
	snprintf(spot->name, sizeof(spot->name), "%s", last);
	snprintf(directory, sizeof(directory), "%.*s", (int)(last - rest), rest);
	root = open(mount->host, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	spot->parent = open_within(root, *directory ? directory : ".", O_PATH | O_DIRECTORY,
		RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
	return spot->parent < 0 ? -1 : 0;
}

static void cleanup_spot(struct spot *spot)
{
	cleanup_close_do(&spot->parent);
}
#define cleanup_spot __attribute__((cleanup(cleanup_spot)))

static int look(const struct spot *spot, struct stat *status)
{
	return fstatat(spot->parent, spot->name, status, AT_SYMLINK_NOFOLLOW);
}

/* Is it the file that the record is about? */
static bool is_it(
	const struct undo *undo, const struct undo_record *head, const struct stat *status)
{
	uint64_t number = head->inode;

	/* The last one: numbers are given again, and this goes backwards. */
	for (size_t i = undo->remade_count; i > 0; i--) {
		const struct remade *remade = &undo->remade[i - 1];

		if (remade->before == head->inode && remade->device == head->device) {
			number = remade->now;
			break;
		}
	}
	return status->st_ino == number && status->st_dev == head->device;
}

static int note_remade(struct undo *undo, const struct undo_record *head, const struct stat *status)
{
	struct remade *remade = reallocarray(undo->remade, undo->remade_count + 1, sizeof(*remade));

	if (!remade)
		return -1;
	undo->remade = remade;
	remade[undo->remade_count++] = (struct remade){ head->device, head->inode, status->st_ino };
	return 0;
}

/* The owner first: a change of it takes away permissions. */
static int put_attributes(const struct spot *spot, const struct undo_record *head)
{
	const struct timespec times[2] = { { head->times[0][0], head->times[0][1] },
		{ head->times[1][0], head->times[1][1] } };
	bool link = S_ISLNK(head->mode);

	if (geteuid() == 0 &&
		fchownat(spot->parent, spot->name, head->uid, head->gid, AT_SYMLINK_NOFOLLOW))
		return -1;
	if (!link && fchmodat(spot->parent, spot->name, head->mode & PERMISSIONS, 0))
		return -1;
	return utimensat(spot->parent, spot->name, times, AT_SYMLINK_NOFOLLOW);
}

static int put_content(const struct undo *undo, const struct step *step, int fd)
{
	static char piece[PIECE];
	uint64_t left = step->head.content_bytes, at = step->content;

	for (; left > 0; left -= left < PIECE ? left : PIECE, at += PIECE) {
		size_t bytes = left < PIECE ? left : PIECE;

		if (read_at(undo->file, piece, bytes, at) || write_all(fd, piece, bytes))
			return -1;
	}
	return ftruncate(fd, (off_t)step->head.content_bytes);
}

static int undo_made(const struct undo *undo, const struct step *step)
{
	struct spot cleanup_spot spot;
	struct stat status;

	if (find_spot(undo, step->path, &spot) || look(&spot, &status))
		return errno == ENOENT ? 0 : -1; /* it was taken away later */
	errno = EBUSY;
	if (!is_it(undo, &step->head, &status))
		return -1;
	return unlinkat(spot.parent, spot.name, S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0);
}

/* Nothing may be replaced; not all file systems can be told so. */
static int rename_back(const struct spot *from, const struct spot *to)
{
	struct stat status;
	int r = renameat2(from->parent, from->name, to->parent, to->name, RENAME_NOREPLACE);

	if (r == 0 || errno != EINVAL)
		return r;
	if (look(to, &status) == 0) {
		errno = EEXIST;
		return -1;
	}
	return renameat(from->parent, from->name, to->parent, to->name);
}

static int undo_moved(const struct undo *undo, const struct step *step)
{
	struct spot cleanup_spot now, cleanup_spot before = { -1, "" };
	struct stat status;

	if (find_spot(undo, step->other, &now) || look(&now, &status))
		return errno == ENOENT && (step->head.flags & UNDO_OF_RUN) ? 0 : -1;
	if (find_spot(undo, step->path, &before))
		return -1;
	errno = EBUSY;
	return is_it(undo, &step->head, &status) ? rename_back(&now, &before) : -1;
}

static int remake_file(const struct undo *undo, const struct step *step, const struct spot *spot)
{
	cleanup_close int fd = openat(spot->parent, spot->name,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	return fd < 0 ? -1 : put_content(undo, step, fd);
}

static int undo_taken(struct undo *undo, const struct step *step)
{
	struct spot cleanup_spot spot;
	struct stat status;
	int r = -1;

	if (find_spot(undo, step->path, &spot))
		return -1;
	errno = EINVAL;
	if (S_ISREG(step->head.mode))
		r = remake_file(undo, step, &spot);
	else if (S_ISDIR(step->head.mode))
		r = mkdirat(spot.parent, spot.name, 0700);
	else if (S_ISLNK(step->head.mode))
		r = symlinkat(step->other, spot.parent, spot.name);
	else if (S_ISFIFO(step->head.mode))
		r = mkfifoat(spot.parent, spot.name, 0600);
	if (r || put_attributes(&spot, &step->head) || look(&spot, &status))
		return -1;
	return note_remade(undo, &step->head, &status);
}

static int undo_written(const struct undo *undo, const struct step *step)
{
	const int flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	struct spot cleanup_spot spot;
	cleanup_close int fd = -1;
	struct stat status;

	if (find_spot(undo, step->path, &spot) || look(&spot, &status))
		return -1;
	errno = EBUSY;
	if (!is_it(undo, &step->head, &status) || !S_ISREG(status.st_mode))
		return -1;
	fd = openat(spot.parent, spot.name, flags);
	if (fd < 0 && errno == EACCES && fchmodat(spot.parent, spot.name, 0600, 0) == 0)
		fd = openat(spot.parent, spot.name, flags);
	if (fd < 0 || put_content(undo, step, fd))
		return -1;
	return put_attributes(&spot, &step->head);
}

static int undo_set(const struct undo *undo, const struct step *step)
{
	struct spot cleanup_spot spot;
	struct stat status;

	if (find_spot(undo, step->path, &spot) || look(&spot, &status))
		return -1;
	errno = EBUSY;
	return is_it(undo, &step->head, &status) ? put_attributes(&spot, &step->head) : -1;
}

static int undo_step(struct undo *undo, const struct step *step)
{
	switch (step->head.kind) {
	case UNDO_MADE:
		return undo_made(undo, step);
	case UNDO_MOVED:
		return undo_moved(undo, step);
	case UNDO_TAKEN:
		return undo_taken(undo, step);
	case UNDO_WRITTEN:
		return undo_written(undo, step);
	case UNDO_SET:
		return undo_set(undo, step);
	default:
		errno = EINVAL;
		return -1;
	}
}

static int undo_records(struct undo *undo, uint64_t used, struct error *err)
{
	struct step step;

	if (used > UNDO_BYTES || find_records(undo, used))
		return error_set(err, 0, "cannot start the run again: its records are damaged");
	for (size_t i = undo->count; i > 0; i--) {
		if (read_step(undo, i - 1, &step))
			return error_set(
				err, 0, "cannot start the run again: its records are damaged");
		if (undo_step(undo, &step))
			return error_set(err, errno,
				"cannot start the run again: cannot put back %s, and %zu changes "
				"before",
				step.path, i - 1);
	}
	return 0;
}

int undo_all(
	const struct box_config *config, const struct arena *arena, int arena_fd, struct error *err)
{
	uint64_t used = __atomic_load_n(&arena->undo_used, __ATOMIC_ACQUIRE);
	struct undo undo = { .config = config, .file = arena_fd };
	sigset_t all, before;
	int failed;

	sigfillset(&all); /* a half of it is worse than either */
	sigprocmask(SIG_SETMASK, &all, &before);
	failed = undo_records(&undo, used, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	free(undo.records);
	free(undo.remade);
	return failed;
}
