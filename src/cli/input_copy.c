#include "cli/input_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "box/copy.h"
#include "box/links.h"

struct copying {
	const struct input_skip *skip;
	int target; /* the copy of the whole */
	struct links links;
	struct error *err;
};

/* A directory on both sides. */
struct level {
	int from, to;
	const char *path; /* from the top; "" there */
};

static int copy_directory(struct copying *all, const struct level *level, const char *name,
	const char *path, const struct stat *status);

static int fail(const struct copying *all, const char *path)
{
	return error_set(all->err, errno, "cannot copy %s", path);
}

static int copy_one(struct copying *all, const struct level *level, const char *name,
	const char *path, const struct stat *status)
{
	const struct copy copy = { level->from, name, level->to, name, status };
	const char *first = links_find(&all->links, status);

	if (first)
		return linkat(all->target, first + 1, level->to, name, 0) ? fail(all, path) : 0;
	if (S_ISSOCK(status->st_mode) ? mknodat(level->to, name, status->st_mode, 0)
				      : copy_file(&copy))
		return fail(all, path);
	return links_add(&all->links, status, path) ? fail(all, path) : 0;
}

static int copy_entry(struct copying *all, const struct level *level, const char *name)
{
	cleanup_free char *path = NULL;
	struct stat status;

	if (asprintf(&path, "%s/%s", level->path, name) < 0 ||
		fstatat(level->from, name, &status, AT_SYMLINK_NOFOLLOW))
		return fail(all, name);
	if (all->skip->skips(all->skip->context, path, &status))
		return 0;
	if (S_ISDIR(status.st_mode))
		return copy_directory(all, level, name, path, &status);
	return copy_one(all, level, name, path, &status);
}

static int copy_entries(struct copying *all, const struct level *level)
{
	struct dirent **entries;
	int count = scandirat(level->from, ".", &entries, NULL, NULL), failed = 0;

	if (count < 0)
		return fail(all, level->path);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (!failed && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			failed = copy_entry(all, level, name);
		free(entries[i]);
	}
	free(entries);
	copy_extended(level->from, level->to);
	return failed;
}

static int copy_directory(struct copying *all, const struct level *level, const char *name,
	const char *path, const struct stat *status)
{
	int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	cleanup_close int from = openat(level->from, name, flags), to = -1;
	struct level below = { from, -1, path };

	if (from >= 0 && mkdirat(level->to, name, 0700) == 0)
		below.to = to = openat(level->to, name, flags);
	if (to < 0)
		return fail(all, path);
	if (copy_entries(all, &below))
		return -1;
	copy_attributes(level->to, name, status);
	return 0;
}

int input_copy(const char *from, const char *to, const struct input_skip *skip, struct error *err)
{
	struct copying all = { .skip = skip, .err = err };
	cleanup_close int source = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC), target = -1;
	struct level top = { source, -1, "" };
	struct stat status;
	const struct copy file = { AT_FDCWD, from, AT_FDCWD, to, &status };
	int failed;

	if (stat(from, &status))
		return fail(&all, from);
	if (!S_ISDIR(status.st_mode))
		return copy_file(&file) ? fail(&all, from) : 0;
	if (source >= 0 && mkdir(to, 0700) == 0)
		target = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (target < 0)
		return fail(&all, from);
	all.target = top.to = target;
	failed = copy_entries(&all, &top);
	copy_attributes(AT_FDCWD, to, &status);
	links_release(&all.links);
	return failed;
}
