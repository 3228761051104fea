#include "box/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "box/copy.h"
#include "box/links.h"
#include "box/seen.h"

/* A directory that the walk is in. Its copy is made when something below needs it. */
struct level {
	struct level *parent;
	char *name;
	int to; /* -1: not made yet */
};

struct save {
	const struct changes *changes;
	int target;
	FILE *deletions; /* NULL until the first */
	struct links links;
	struct level *top;
};

static int fail(struct error *err, const char *what, const char *path)
{
	return error_set(err, errno, "cannot save: %s %s", what, path);
}

static void put_escaped(FILE *out, const char *path)
{
	for (; *path; path++) {
		if (*path == '\n' || *path == '\\')
			fprintf(out, "\\%03o", (unsigned)*path);
		else
			fputc(*path, out);
	}
	fputc('\n', out);
}

static int note_deletion(void *context, const char *path, struct error *err)
{
	struct save *save = context;

	if (!save->deletions) {
		int fd = openat(save->target, SAVE_DELETIONS,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

		save->deletions = fd < 0 ? NULL : fdopen(fd, "w");
		if (!save->deletions)
			return fail(err, "list of deletions", SAVE_DELETIONS);
	}
	put_escaped(save->deletions, path);
	return 0;
}

/* Written at the end of the run, it is as old as the start: what is saved depends on the run only. */
static int finish_deletions(const struct save *save, struct error *err)
{
	const struct machine *machine = &save->changes->arena->config.machine;
	const struct timespec start = { machine->epoch, machine->epoch_nsec },
			      times[] = { start, start };

	if (!save->deletions)
		return 0;
	if (fclose(save->deletions) || utimensat(save->target, SAVE_DELETIONS, times, 0))
		return fail(err, "list of deletions", SAVE_DELETIONS);
	return 0;
}

/* Makes the directory's copy, and those above it, if they are not there yet. */
static int level_target(struct level *level, struct error *err)
{
	int parent;

	if (level->to >= 0)
		return level->to;
	parent = level_target(level->parent, err);
	if (parent < 0)
		return -1;
	if (mkdirat(parent, level->name, 0700) && errno != EEXIST)
		return fail(err, "make directory", level->name);
	level->to = openat(parent, level->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return level->to >= 0 ? level->to : fail(err, "open directory", level->name);
}

static int save_file(void *context, const struct change *file, struct error *err)
{
	struct save *save = context;
	struct stat status = seen_status(save->changes, file);
	struct copy copy = { file->dir, file->name, -1, file->name, &status };
	const char *first = links_find(&save->links, file->status);

	if (S_ISSOCK(file->status->st_mode))
		return 0;
	copy.to = level_target(save->top, err);
	if (copy.to < 0)
		return -1;
	if (first) {
		if (linkat(save->target, first + 1, copy.to, file->name, 0))
			return fail(err, "link", file->path);
		return 0;
	}
	if (copy_file(&copy) || links_add(&save->links, file->status, file->path))
		return fail(err, "copy", file->path);
	return 0;
}

static int enter_directory(void *context, const struct change *directory, struct error *err)
{
	struct save *save = context;
	struct level *level = malloc(sizeof(*level));

	if (!level)
		return fail(err, "copy", directory->path);
	*level = (struct level){ save->top, strdup(directory->name), -1 };
	save->top = level;
	return level->name ? 0 : fail(err, "copy", directory->path);
}

static void leave_level(struct save *save)
{
	struct level *level = save->top;

	save->top = level->parent;
	if (level->to >= 0)
		close(level->to);
	free(level->name);
	free(level);
}

/* The copy gets its attributes when it is complete, if it was needed. */
static int leave_directory(void *context, const struct change *directory, struct error *err)
{
	struct save *save = context;
	struct stat status = seen_status(save->changes, directory);

	if (directory->own && level_target(save->top, err) < 0)
		return -1;
	if (save->top->to >= 0) {
		copy_extended(directory->dir, save->top->to);
		copy_attributes(save->top->parent->to, directory->name, &status);
	}
	leave_level(save);
	return 0;
}

int save_write(const struct changes *changes, int target, struct error *err)
{
	struct level root = { .to = target };
	struct save save = { .changes = changes, .target = target, .top = &root };
	struct changes_visitor visitor = {
		.context = &save,
		.enter = enter_directory,
		.leave = leave_directory,
		.file = save_file,
		.deleted = note_deletion,
	};
	int failed = changes_walk(changes, &visitor, err);

	if (finish_deletions(&save, err))
		failed = -1;
	while (save.top != &root)
		leave_level(&save);
	links_release(&save.links);
	return failed;
}

int save_open(const char *path, struct error *err)
{
	struct dirent **entries;
	int fd, count;

	if (mkdir(path, 0755) && errno != EEXIST)
		return error_set(err, errno, "--save: cannot make %s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, errno, "--save: cannot open %s", path);
	count = scandirat(fd, ".", &entries, NULL, NULL);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	if (count == 2 && faccessat(fd, ".", W_OK, 0) == 0)
		return fd;
	close(fd);
	if (count == 2)
		return error_set(err, EACCES, "--save: cannot write to %s", path);
	return error_set(err, 0, "--save: %s is not empty; choose an empty or new directory", path);
}
