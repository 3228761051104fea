#include "box/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "base/within.h"
#include "box/stage.h"

struct walk {
	const struct changes *changes;
	const struct changes_visitor *visitor;
	bool *seen; /* per item of the record: the walk came by */
	struct error *err;
};

/* A directory on the way down. */
struct level {
	const char *path;  /* inside the container, "" for its root */
	const char *lower; /* the host's directory below, or NULL when there is none */
	int from;
};

static int walk_directory(struct walk *walk, const struct level *level);

static int fail(struct walk *walk, const char *what, const char *path)
{
	return error_set(walk->err, errno, "cannot walk over the changes: %s %s", what, path);
}

int changes_before(const struct changes *changes, const char *lower, struct stat *status)
{
	cleanup_close int fd = open_within(
		changes->host, lower, O_PATH | O_NOFOLLOW, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);

	return fd < 0 ? -1 : fstat(fd, status);
}

static bool is_opaque(int dir)
{
	char value;

	return fgetxattr(dir, "user.overlay.opaque", &value, 1) == 1 && value == 'y';
}

static bool is_whiteout(const struct stat *status)
{
	return S_ISCHR(status->st_mode) && status->st_rdev == makedev(0, 0);
}

static int tell_deletion(struct walk *walk, const char *path)
{
	return walk->visitor->deleted(walk->visitor->context, path, walk->err);
}

/* Enters, walks and leaves. */
static int walk_below(struct walk *walk, const struct level *level, const struct change *directory)
{
	const struct changes_visitor *visitor = walk->visitor;

	if (visitor->enter(visitor->context, directory, walk->err) || walk_directory(walk, level))
		return -1;
	return visitor->leave(visitor->context, directory, walk->err);
}

static int open_upper(struct walk *walk, const struct placed *item)
{
	char upper[32];
	int fd;

	snprintf(upper, sizeof(upper), "upper%u", item->upper);
	fd = openat(walk->changes->layer, upper, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 ? fd : fail(walk, "open the changes of", item->path);
}

/* The overlay that lies at `name`: its changes are in an upper directory. */
static int walk_overlay(struct walk *walk, const char *name, const struct placed *item)
{
	cleanup_close int from = open_upper(walk, item);
	struct level below = { item->path, item->host, from };
	struct stat status;
	struct change change = { item->path, from, name, item->host, &status, false, false };

	if (from < 0)
		return -1;
	if (fstat(from, &status))
		return fail(walk, "open the changes of", item->path);
	return walk_below(walk, &below, &change);
}

/* A directory of the layer itself. It counts as changed unless it is there for Stet's sake only. */
static int walk_plain(struct walk *walk, const struct level *level, const char *name,
	const char *path, const struct stat *status)
{
	const struct record *record = &walk->changes->record;
	cleanup_free char *lower = NULL;
	cleanup_close int from =
		openat(level->from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct level below = { path, NULL, from };
	struct change change = { path, from, name, NULL, status, false, false };
	struct stat old;

	if (from < 0 || (level->lower && asprintf(&lower, "%s/%s", level->lower, name) < 0))
		return fail(walk, "open", path);
	change.own = !record_find(record, path) && !record_below(record, path);
	if (lower && is_opaque(from)) {
		if (change.own && changes_before(walk->changes, lower, &old) == 0) {
			change.anew = S_ISDIR(old.st_mode);
			if (tell_deletion(walk, path))
				return -1;
		}
	} else {
		below.lower = change.lower = lower;
	}
	return walk_below(walk, &below, &change);
}

static bool is_unchanged(const struct placed *item, const struct stat *status)
{
	return item && item->kind == PLACED_FILE && item->inode == status->st_ino &&
	       item->ctime.tv_sec == status->st_ctim.tv_sec &&
	       item->ctime.tv_nsec == status->st_ctim.tv_nsec;
}

static int walk_file(struct walk *walk, const struct level *level, const char *name,
	const char *path, const struct stat *status)
{
	const struct changes_visitor *visitor = walk->visitor;
	cleanup_free char *lower = NULL;
	struct change change = { path, level->from, name, NULL, status, true, false };
	struct stat old;

	if (level->lower && asprintf(&lower, "%s/%s", level->lower, name) < 0)
		return fail(walk, "copy", path);
	if (lower && changes_before(walk->changes, lower, &old) == 0) {
		change.lower = lower;
		/* A file instead of the host's directory: what was below is deleted. */
		if (S_ISDIR(old.st_mode) && tell_deletion(walk, path))
			return -1;
	}
	return visitor->file(visitor->context, &change, walk->err);
}

static int walk_entry(struct walk *walk, const struct level *level, const char *name)
{
	cleanup_free char *path = NULL;
	const struct placed *item;
	struct stat status;

	if (asprintf(&path, "%s/%s", level->path, name) < 0)
		return fail(walk, "look at", name);
	item = record_find(&walk->changes->record, path);
	if (item)
		walk->seen[item - walk->changes->record.items] = true;
	if (item && item->kind == PLACED_MOUNT)
		return 0;
	if (fstatat(level->from, name, &status, AT_SYMLINK_NOFOLLOW))
		return fail(walk, "look at", path);
	if (item && item->kind == PLACED_OVERLAY)
		return walk_overlay(walk, name, item);
	if (is_whiteout(&status))
		return tell_deletion(walk, path);
	if (S_ISDIR(status.st_mode))
		return walk_plain(walk, level, name, path, &status);
	return is_unchanged(item, &status) ? 0 : walk_file(walk, level, name, path, &status);
}

static int walk_directory(struct walk *walk, const struct level *level)
{
	struct dirent **entries;
	int count = scandirat(level->from, ".", &entries, NULL, alphasort), failed = 0;

	if (count < 0)
		return fail(walk, "read", level->path);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (!failed && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			failed = walk_entry(walk, level, name);
		free(entries[i]);
	}
	free(entries);
	return failed;
}

/*
 * An overlay on a directory that only the host has: no upper directory leads to it. The walk has
 * come down to the first `done` bytes of its path.
 */
static int walk_remote(struct walk *walk, const struct placed *item, size_t done)
{
	const struct changes_visitor *visitor = walk->visitor;
	size_t end = done + 1 + strcspn(item->path + done + 1, "/");
	cleanup_free char *path = strndup(item->path, end);
	struct stat status = { .st_mode = S_IFDIR | 0755 };
	struct change change = { path, -1, path + done + 1, path, &status, false, false };

	if (!path)
		return fail(walk, "copy", item->path);
	if (!item->path[end])
		return walk_overlay(walk, change.name, item);
	changes_before(walk->changes, path, &status);
	if (visitor->enter(visitor->context, &change, walk->err) || walk_remote(walk, item, end))
		return -1;
	return visitor->leave(visitor->context, &change, walk->err);
}

/* What the walk did not come by: overlays in odd places, and files that are no longer there. */
static int walk_unseen(struct walk *walk)
{
	const struct record *record = &walk->changes->record;

	for (size_t i = 0; i < record->count; i++) {
		const struct placed *item = &record->items[i];
		int failed = 0;

		if (walk->seen[i] || record_find(record, item->path) != item || !item->path[1])
			continue;
		if (item->kind == PLACED_OVERLAY)
			failed = walk_remote(walk, item, 0);
		else if (item->kind == PLACED_FILE || item->kind == PLACED_DIRECTORY)
			failed = tell_deletion(walk, item->path);
		if (failed)
			return -1;
	}
	return 0;
}

/* The root is an overlay as a whole, or a directory of the stage. */
static int open_root(struct walk *walk, struct level *root)
{
	const struct placed *item = record_find(&walk->changes->record, "/");

	if (item && item->kind == PLACED_OVERLAY) {
		root->lower = item->host;
		return open_upper(walk, item);
	}
	/* What lay over it has become the container's root, so this is the bare directory. */
	return openat(walk->changes->stage, &STAGE_ROOT[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

int changes_walk(
	const struct changes *changes, const struct changes_visitor *visitor, struct error *err)
{
	cleanup_free bool *seen = calloc(changes->record.count + 1, sizeof(*seen));
	struct walk walk = { changes, visitor, seen, err };
	struct level root = { .path = "" };
	cleanup_close int from = open_root(&walk, &root);

	root.from = from;
	if (from < 0 || !seen)
		return fail(&walk, "open", "/");
	return walk_directory(&walk, &root) || walk_unseen(&walk) ? -1 : 0;
}

int changes_prepare(struct changes *changes, const struct record *record, const struct arena *arena,
	struct error *err)
{
	int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

	changes->record = *record;
	changes->arena = arena;
	changes->stage = open("/", flags);
	changes->layer = open(STAGE_LAYER, flags);
	changes->host = open(STAGE_HOST, flags);
	if (changes->stage < 0 || changes->layer < 0 || changes->host < 0)
		return error_set(err, errno, "cannot open the private layer");
	return 0;
}
