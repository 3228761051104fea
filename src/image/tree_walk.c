#include "image/tree_walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "image/names.h"

const char *tree_name(const struct tree_object *object)
{
	return object->path + 1;
}

static int fail(struct error *err, const char *path)
{
	return error_set(err, errno, "cannot read %s of the image", path);
}

static bool is_part(const struct tree *tree, const struct stat *status)
{
	mode_t mode = status->st_mode;

	if (tree->skip && tree->skip->skips(tree->skip->context, status))
		return false;
	return S_ISREG(mode) || S_ISDIR(mode) || S_ISLNK(mode) || S_ISFIFO(mode);
}

static struct tree_object *append(struct tree *tree)
{
	if (tree->count == tree->room) {
		size_t room = tree->room ? 2 * tree->room : 1024;
		struct tree_object *list = reallocarray(tree->list, room, sizeof(*list));

		if (!list)
			return NULL;
		tree->list = list;
		tree->room = room;
	}
	tree->list[tree->count] = (struct tree_object){ 0 };
	return &tree->list[tree->count];
}

/* It counts only once it has all that belongs to it. */
static int add(struct tree *tree, const char *parent, int dir, const char *name, struct error *err)
{
	struct tree_object *object = append(tree);

	if (!object || asprintf(&object->path, "%s/%s", parent, name) < 0)
		return error_set(err, ENOMEM, "digest of an image");
	tree->count++;
	if (fstatat(dir, name, &object->status, AT_SYMLINK_NOFOLLOW))
		return fail(err, object->path);
	if (!is_part(tree, &object->status))
		free(tree->list[--tree->count].path);
	return 0;
}

static int list_directory(struct tree *tree, const char *parent, int fd, struct error *err)
{
	cleanup_dir DIR *listing = fdopendir(fd);
	struct dirent *entry;

	if (!listing) {
		close(fd);
		return fail(err, parent);
	}
	while (errno = 0, entry = readdir(listing))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			add(tree, parent, fd, entry->d_name, err))
			return -1;
	return errno ? fail(err, parent) : 0;
}

/* Can its owner list it, and find what is in it? */
static bool is_open(mode_t mode)
{
	return (mode & (S_IRUSR | S_IXUSR)) == (S_IRUSR | S_IXUSR);
}

static int open_root(struct tree *tree, bool open_all)
{
	struct stat status;

	if (open_all && fstat(tree->root, &status) == 0 && !is_open(status.st_mode)) {
		if (fchmod(tree->root, S_IRWXU))
			return -1;
		tree->root_mode = status.st_mode;
	}
	return openat(tree->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static int open_directory(struct tree *tree, struct tree_object *object, bool open_all)
{
	if (open_all && !is_open(object->status.st_mode)) {
		if (fchmodat(tree->root, tree_name(object), S_IRWXU, 0))
			return -1;
		object->opened = true;
	}
	return openat(
		tree->root, tree_name(object), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The list is also what is still to be looked into. */
static int walk(struct tree *tree, bool open_all, struct error *err)
{
	int fd = open_root(tree, open_all);

	if (fd < 0)
		return fail(err, "the root");
	if (list_directory(tree, "", fd, err))
		return -1;
	for (size_t i = 0; i < tree->count; i++) {
		char *path = tree->list[i].path;

		if (!S_ISDIR(tree->list[i].status.st_mode))
			continue;
		fd = open_directory(tree, &tree->list[i], open_all);
		if (fd < 0)
			return fail(err, path);
		if (list_directory(tree, path, fd, err))
			return -1;
	}
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	const struct tree_object *one = a, *other = b;

	return strcmp(one->path, other->path);
}

static int find_links(struct tree *tree, struct names *inodes)
{
	for (size_t i = 0; i < tree->count; i++) {
		struct tree_object *object = &tree->list[i];
		char number[64];
		const struct name *first;

		object->first = i;
		if (S_ISDIR(object->status.st_mode) || object->status.st_nlink < 2)
			continue;
		snprintf(number, sizeof(number), "%ju:%ju", (uintmax_t)object->status.st_dev,
			(uintmax_t)object->status.st_ino);
		first = names_add(inodes, number, i);
		if (!first)
			return -1;
		object->first = first->number;
	}
	return 0;
}

int tree_walk(
	struct tree *tree, int root, bool open_all, const struct tree_skip *skip, struct error *err)
{
	struct names inodes = { 0 };
	int failed;

	*tree = (struct tree){ .root = root, .skip = skip };
	if (walk(tree, open_all, err))
		return -1;
	if (tree->count)
		qsort(tree->list, tree->count, sizeof(*tree->list), compare_paths);
	failed = find_links(tree, &inodes);
	names_release(&inodes);
	return failed ? error_set(err, ENOMEM, "digest of an image") : 0;
}

/* What is inside comes behind its directory in the list, in whatever order it is. */
static void close_again(struct tree *tree)
{
	if (tree->count)
		qsort(tree->list, tree->count, sizeof(*tree->list), compare_paths);
	for (size_t i = tree->count; i-- > 0;)
		if (tree->list[i].opened)
			fchmodat(tree->root, tree_name(&tree->list[i]),
				tree->list[i].status.st_mode & 07777, 0);
	if (tree->root_mode)
		fchmod(tree->root, tree->root_mode & 07777);
}

void tree_release(struct tree *tree)
{
	close_again(tree);
	for (size_t i = 0; i < tree->count; i++)
		free(tree->list[i].path);
	free(tree->list);
	*tree = (struct tree){ 0 };
}
