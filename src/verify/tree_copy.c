#include "verify/tree_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "box/copy.h"
#include "box/links.h"

struct work {
	const struct tree_copy *copy;
	struct links links; /* by their paths below `to` */
	int top;	    /* descriptor of `to` */
	struct error *err;
};

/* A directory on both sides, and where it is below the top: "" or "a/b/". */
struct place {
	int from, to;
	const char *path;
};

static int fail(struct work *work, const struct place *place, const char *name)
{
	return error_set(
		work->err, errno, "cannot copy %s/%s%s", work->copy->from, place->path, name);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_entry(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static bool is_left_out(const struct work *work, const struct stat *status)
{
	const struct tree_copy *copy = work->copy;

	for (size_t i = 0; i < copy->without_count; i++)
		if (copy->without[i].st_dev == status->st_dev &&
			copy->without[i].st_ino == status->st_ino)
			return true;
	return false;
}

static int copy_entries(struct work *work, const struct place *place);

static int copy_directory(
	struct work *work, const struct place *place, const char *name, const struct stat *status)
{
	cleanup_free char *path = NULL;
	cleanup_close int from =
		openat(place->from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	cleanup_close int to = -1;

	if (from < 0 || mkdirat(place->to, name, 0700))
		return fail(work, place, name);
	to = openat(place->to, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (to < 0)
		return fail(work, place, name);
	if (asprintf(&path, "%s%s/", place->path, name) < 0)
		return error_set(work->err, ENOMEM, "cannot copy %s", work->copy->from);
	if (copy_entries(work, &(struct place){ from, to, path }))
		return -1;
	copy_extended(from, to);
	copy_attributes(place->to, name, status);
	return 0;
}

static int copy_one(
	struct work *work, const struct place *place, const char *name, const struct stat *status)
{
	const char *first = links_find(&work->links, status);
	cleanup_free char *path = NULL;

	if (first)
		return linkat(work->top, first, place->to, name, 0) ? fail(work, place, name) : 0;
	if (copy_file(&(struct copy){ place->from, name, place->to, name, status }))
		return fail(work, place, name);
	if (asprintf(&path, "%s%s", place->path, name) < 0 || links_add(&work->links, status, path))
		return error_set(work->err, ENOMEM, "cannot copy %s", work->copy->from);
	return 0;
}

static int copy_entry(struct work *work, const struct place *place, const char *name)
{
	struct stat status;

	if (fstatat(place->from, name, &status, AT_SYMLINK_NOFOLLOW))
		return fail(work, place, name);
	if (S_ISSOCK(status.st_mode))
		return 0;
	if (!S_ISDIR(status.st_mode))
		return copy_one(work, place, name, &status);
	return is_left_out(work, &status) ? 0 : copy_directory(work, place, name, &status);
}

static int copy_entries(struct work *work, const struct place *place)
{
	struct dirent **names;
	int count = scandirat(place->from, ".", &names, is_entry, by_name), failed = 0;

	if (count < 0)
		return fail(work, place, "");
	for (int i = 0; i < count; i++)
		if (!failed)
			failed = copy_entry(work, place,
				names[work->copy->backwards ? count - 1 - i : i]->d_name);
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return failed;
}

static int copy_top(struct work *work, const struct stat *status)
{
	const struct tree_copy *copy = work->copy;
	cleanup_close int from = open(copy->from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (from < 0 || mkdir(copy->to, 0700))
		return error_set(work->err, errno, "cannot copy %s", copy->from);
	work->top = open(copy->to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (work->top < 0)
		return error_set(work->err, errno, "cannot copy %s", copy->from);
	if (copy_entries(work, &(struct place){ from, work->top, "" }))
		return -1;
	copy_extended(from, work->top);
	copy_attributes(AT_FDCWD, copy->to, status);
	return 0;
}

int tree_copy(const struct tree_copy *copy, struct error *err)
{
	struct work work = { .copy = copy, .top = -1, .err = err };
	struct stat status;
	int failed;

	if (stat(copy->from, &status))
		return error_set(err, errno, "cannot copy %s", copy->from);
	if (S_ISDIR(status.st_mode))
		failed = copy_top(&work, &status);
	else if (copy_file(&(struct copy){ AT_FDCWD, copy->from, AT_FDCWD, copy->to, &status }))
		failed = error_set(err, errno, "cannot copy %s", copy->from);
	else
		failed = 0;
	if (work.top >= 0)
		close(work.top);
	links_release(&work.links);
	return failed;
}
