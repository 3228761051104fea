#include "box/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "arena/inodes.h"
#include "base/cleanup.h"
#include "box/digest_lines.h"
#include "box/file_owners.h"
#include "box/seen.h"

#define VERSION "stet digest 1"

struct digest {
	const struct digest_files *files;
	struct digest_lines lines;
};

void digest_own_add(struct digest_own *own, int fd)
{
	struct stat status;

	if (fd < 0 || own->count == DIGEST_OWN || fstat(fd, &status) ||
		(!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
		return;
	own->files[own->count].device = status.st_dev;
	own->files[own->count++].inode = status.st_ino;
}

void digest_own_add_path(struct digest_own *own, const char *path)
{
	cleanup_close int fd = path ? open(path, O_PATH | O_CLOEXEC) : -1;

	digest_own_add(own, fd);
}

bool digest_own_has(const struct digest_own *own, const struct stat *status)
{
	for (size_t i = 0; i < own->count; i++)
		if (own->files[i].device == status->st_dev && own->files[i].inode == status->st_ino)
			return true;
	return false;
}

static int fail(struct error *err, const char *path)
{
	return error_set(err, errno, "--digest: cannot read %s", path);
}

static int add_deletion(void *context, const char *path, struct error *err)
{
	struct digest *digest = context;

	return digest_lines_add_deletion(&digest->lines, path, err);
}

/* The private layer. */

static int add_change(void *context, const struct change *change, struct error *err)
{
	struct digest *digest = context;
	const struct changes *changes = digest->files->changes;
	struct stat status = seen_status(changes, change);
	struct digest_object object = {
		.path = change->path,
		.dir = change->dir,
		.name = S_ISDIR(change->status->st_mode) ? "." : change->name,
		.status = change->status,
		.inode = seen_inode(changes, change->path),
		.uid = status.st_uid,
		.gid = status.st_gid,
		.deed = change->lower ? BOX_CHANGED : BOX_MADE,
	};

	return digest_lines_add(&digest->lines, &object, err);
}

static bool look_before(
	const struct digest *digest, const struct change *change, struct stat *before)
{
	if (!change->lower || changes_before(digest->files->changes, change->lower, before))
		return false;
	file_owners_show(digest->files->arena, change->path, NULL, before);
	return true;
}

/* A directory that was there before is part of the changes only if it looks different now. */
static int add_directory(void *context, const struct change *directory, struct error *err)
{
	const struct digest *digest = context;
	struct stat now, before;

	if (!directory->own)
		return 0;
	now = seen_status(digest->files->changes, directory);
	if (look_before(digest, directory, &before) && before.st_mode == now.st_mode &&
		before.st_uid == now.st_uid && before.st_gid == now.st_gid)
		return 0;
	return add_change(context, directory, err);
}

static int leave_directory(void *context, const struct change *directory, struct error *err)
{
	(void)context, (void)directory, (void)err;
	return 0;
}

/* The mounts. */

static int add_tree(struct digest *digest, const char *path, int dir, struct error *err);

/* Where times are native, nobody keeps account of changes. */
static enum box_deed deed_of(const struct digest *digest, const struct inode *inode)
{
	if (inode && inode->flags & INODE_MADE)
		return BOX_MADE;
	if (digest->lines.relax & RELAX_MTIME)
		return BOX_UNKNOWN;
	return inode && inode->flags & INODE_CHANGED ? BOX_CHANGED : BOX_FOUND;
}

static int add_below(struct digest *digest, const char *path, int dir, const char *name,
	const struct stat *status, struct error *err)
{
	cleanup_close int below =
		openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (below >= 0)
		return add_tree(digest, path, below, err);
	return errno == EACCES ? 0 : fail(err, path);
}

/* Other mounts are counted by themselves, if at all; places that Stet made for them are nothing. */
static int add_entry(
	struct digest *digest, const char *parent, int dir, const char *name, struct error *err)
{
	const struct box_config *config = digest->files->config;
	cleanup_free char *path = NULL;
	const struct placed *item;
	struct stat status;
	struct digest_object object = { NULL, dir, name, &status, NULL, config->uid, config->gid,
		BOX_FOUND };

	if (asprintf(&path, "%s/%s", strcmp(parent, "/") ? parent : "", name) < 0)
		return error_set(err, ENOMEM, "--digest");
	object.path = path;
	item = record_find(&digest->files->changes->record, path);
	if (item && item->kind != PLACED_POINT)
		return 0;
	if (fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW))
		return fail(err, path);
	if (digest_own_has(digest->files->own, &status))
		return 0;
	object.inode = inodes_find(digest->files->arena, status.st_dev, status.st_ino);
	object.deed = deed_of(digest, object.inode);
	if (!item && digest_lines_add(&digest->lines, &object, err))
		return -1;
	return S_ISDIR(status.st_mode) ? add_below(digest, path, dir, name, &status, err) : 0;
}

static int add_tree(struct digest *digest, const char *path, int dir, struct error *err)
{
	struct dirent **entries;
	int count = scandirat(dir, ".", &entries, NULL, NULL), failed = 0;

	if (count < 0)
		return fail(err, path);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (!failed && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			failed = add_entry(digest, path, dir, name, err);
		free(entries[i]);
	}
	free(entries);
	return failed;
}

/* The mounted directory itself is a mount point, which is no content; a file is. */
static int add_mount(struct digest *digest, const struct placed *item, struct error *err)
{
	const struct box_config *config = digest->files->config;
	cleanup_close int dir = openat(item->tree, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;
	struct digest_object object = { item->path, item->tree, "", &status, NULL, config->uid,
		config->gid, BOX_FOUND };

	if (dir >= 0)
		return add_tree(digest, item->path, dir, err);
	if (fstat(item->tree, &status) || S_ISDIR(status.st_mode))
		return fail(err, item->path);
	object.inode = inodes_find(digest->files->arena, status.st_dev, status.st_ino);
	object.deed = deed_of(digest, object.inode);
	return digest_own_has(digest->files->own, &status)
		       ? 0
		       : digest_lines_add(&digest->lines, &object, err);
}

static int add_all(struct digest *digest, struct error *err)
{
	const struct record *record = &digest->files->changes->record;
	struct changes_visitor visitor = {
		.context = digest,
		.enter = add_directory,
		.leave = leave_directory,
		.file = add_change,
		.deleted = add_deletion,
	};

	if (changes_walk(digest->files->changes, &visitor, err))
		return -1;
	for (size_t i = 0; i < record->count; i++) {
		const struct placed *item = &record->items[i];

		/* Of those at one place, the last is seen. */
		if (item->kind == PLACED_MOUNT && item->tree >= 0 &&
			record_find(record, item->path) == item && add_mount(digest, item, err))
			return -1;
	}
	return 0;
}

int digest_of_files(
	const struct digest_files *files, char text[HASH_TEXT], int list, struct error *err)
{
	struct digest digest = { .files = files, .lines = { .relax = files->config->relax } };
	int failed = add_all(&digest, err);

	return digest_lines_finish(&digest.lines, text, failed ? -1 : list, err) || failed ? -1 : 0;
}

void digest_of_run(
	int status, const struct relay_result *output, const char *files, char text[HASH_TEXT])
{
	char all[512];
	struct hash hash;
	int n = snprintf(all, sizeof(all),
		VERSION "\nstatus %d\noutput sha256:%s\nerrors sha256:%s\nfiles sha256:%s\n",
		status, output->hash[0], output->hash[1], files);

	hash_start(&hash);
	hash_add(&hash, all, (size_t)n);
	hash_finish(&hash, text);
}
