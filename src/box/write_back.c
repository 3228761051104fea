#include "box/write_back.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/attributes.h"
#include "base/cleanup.h"
#include "base/within.h"
#include "box/copy.h"
#include "box/links.h"
#include "box/times.h"
#include "image/remove.h"

#define TEMPORARY ".stet-write-back" /* a file on its way into its place */

struct writing {
	const struct changes *changes;
	struct links links;
};

/* A name in a directory of the host. */
struct spot {
	int parent; /* -1: the path is not in such a mount, or is its root */
	char name[NAME_MAX + 1];
	int root; /* the mounted directory, when the path is that; else -1 */
};

static void spot_release(struct spot *spot)
{
	if (spot->parent >= 0)
		close(spot->parent);
}
#define cleanup_spot __attribute__((cleanup(spot_release)))

static int fail(struct error *err, const char *path)
{
	return error_set(err, errno, "cannot write what was changed back to %s", path);
}

/* The last mount that was laid over the path, if its changes are to be written back. */
static const struct placed *mount_of(const struct writing *writing, const char *path)
{
	const struct record *record = &writing->changes->record;

	for (size_t i = record->count; i-- > 0;) {
		const struct placed *item = &record->items[i];
		size_t length = strlen(item->path);

		if (item->mount && strncmp(item->path, path, length) == 0 &&
			(!path[length] || path[length] == '/'))
			return item->tree >= 0 && item->kind != PLACED_MOUNT ? item : NULL;
	}
	return NULL;
}

static int open_parent(struct spot *spot, int tree, const char *rest)
{
	const char *slash = strrchr(rest, '/');
	char directory[PATH_MAX];

	snprintf(spot->name, sizeof(spot->name), "%s", slash ? slash + 1 : rest);
	snprintf(directory, sizeof(directory), "%.*s", slash ? (int)(slash - rest) : 1,
		slash ? rest : ".");
	spot->parent = open_within(tree, directory, O_PATH | O_DIRECTORY | O_CLOEXEC,
		RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
	return spot->parent < 0 ? -1 : 0;
}

/* 0, or -1 with err; where the path is not in such a mount, the spot is none. */
static int find_spot(
	const struct writing *writing, const char *path, struct spot *spot, struct error *err)
{
	const struct placed *mount = mount_of(writing, path);
	const char *rest;

	*spot = (struct spot){ .parent = -1, .root = -1 };
	if (!mount)
		return 0;
	rest = path + strlen(mount->path);
	if (mount->kind == PLACED_FILE) /* the tree is the directory that the file is in */
		rest = strrchr(mount->host, '/');
	if (!*rest) {
		spot->root = mount->tree;
		return 0;
	}
	return open_parent(spot, mount->tree, rest + 1) ? fail(err, path) : 0;
}

static int write_deletion(void *context, const char *path, struct error *err)
{
	struct spot cleanup_spot spot;

	if (find_spot(context, path, &spot, err))
		return -1;
	if (spot.parent >= 0 && remove_tree(spot.parent, spot.name) && errno != ENOENT)
		return fail(err, path);
	return 0;
}

/* Its attributes come when it is complete. */
static int enter_directory(void *context, const struct change *directory, struct error *err)
{
	struct spot cleanup_spot spot;
	struct stat status;

	if (find_spot(context, directory->path, &spot, err))
		return -1;
	if (spot.parent < 0)
		return 0;
	if (fstatat(spot.parent, spot.name, &status, AT_SYMLINK_NOFOLLOW) == 0) {
		if (S_ISDIR(status.st_mode))
			return 0;
		if (unlinkat(spot.parent, spot.name, 0))
			return fail(err, directory->path);
	}
	return mkdirat(spot.parent, spot.name, 0700) ? fail(err, directory->path) : 0;
}

static int leave_directory(void *context, const struct change *directory, struct error *err)
{
	const struct writing *writing = context;
	struct stat now, status = *directory->status;
	struct spot cleanup_spot spot;
	int parent;

	if (find_spot(writing, directory->path, &spot, err))
		return -1;
	parent = spot.parent >= 0 ? spot.parent : spot.root;
	if (parent < 0 || directory->dir < 0)
		return 0;
	if (spot.parent < 0)
		strcpy(spot.name, ".");
	if (fstatat(parent, spot.name, &now, AT_SYMLINK_NOFOLLOW))
		return fail(err, directory->path);
	status.st_atim = now.st_atim;
	status.st_mtim = now.st_mtim;
	if (times_changed(writing->changes->arena, directory->path, &status) ||
		now.st_mode != status.st_mode || now.st_uid != status.st_uid ||
		now.st_gid != status.st_gid)
		copy_attributes(parent, spot.name, &status);
	return 0;
}

static int copy_attributes_of(const struct change *file, int parent)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	cleanup_close int from = openat(file->dir, file->name, flags);
	cleanup_close int to = openat(parent, TEMPORARY, flags);
	struct attributes attributes = { 0 };
	int failed = from < 0 || to < 0 || attributes_read(from, &attributes);

	if (!failed)
		attributes_give(&attributes, to);
	attributes_release(&attributes);
	return failed ? -1 : 0;
}

static int put_link(
	struct writing *writing, const struct spot *spot, const char *first, struct error *err)
{
	struct spot cleanup_spot from;

	if (find_spot(writing, first, &from, err))
		return -1;
	if (from.parent < 0 || linkat(from.parent, from.name, spot->parent, TEMPORARY, 0))
		return fail(err, first);
	return 0;
}

static int put_copy(struct writing *writing, const struct spot *spot, const struct change *file,
	struct error *err)
{
	struct stat status = *file->status;
	struct copy copy = { file->dir, file->name, spot->parent, TEMPORARY, &status };

	times_changed(writing->changes->arena, file->path, &status);
	if (copy_file(&copy) ||
		(S_ISREG(status.st_mode) && copy_attributes_of(file, spot->parent)) ||
		links_add(&writing->links, file->status, file->path))
		return fail(err, file->path);
	return 0;
}

static int write_file(void *context, const struct change *file, struct error *err)
{
	struct writing *writing = context;
	const char *first = links_find(&writing->links, file->status);
	struct spot cleanup_spot spot;

	if (find_spot(writing, file->path, &spot, err))
		return -1;
	if (spot.parent < 0 || S_ISSOCK(file->status->st_mode))
		return 0;
	unlinkat(spot.parent, TEMPORARY, 0); /* of a run that was killed */
	if (first ? put_link(writing, &spot, first, err) : put_copy(writing, &spot, file, err))
		return -1;
	if (renameat(spot.parent, TEMPORARY, spot.parent, spot.name))
		return fail(err, file->path);
	unlinkat(spot.parent, TEMPORARY, 0); /* both were names of one file */
	return 0;
}

int write_back(const struct changes *changes, struct error *err)
{
	struct writing writing = { .changes = changes };
	struct changes_visitor visitor = {
		.context = &writing,
		.enter = enter_directory,
		.leave = leave_directory,
		.file = write_file,
		.deleted = write_deletion,
	};
	int failed = changes_walk(changes, &visitor, err);

	links_release(&writing.links);
	return failed;
}
