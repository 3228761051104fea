#include "box/save.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/syscall.h>
#include <sys/xattr.h>

#include "base/cleanup.h"
#include "box/copy.h"
#include "box/links.h"
#include "box/stage.h"
#include "box/times.h"

struct save {
	const struct save_source *source;
	int target;
	FILE *deletions; /* NULL until the first */
	bool *seen;	 /* per item of the record: the walk came by */
	struct links links;
	struct error *err;
};

/* A directory on the way down. Its copy is made when something below needs it. */
struct level {
	struct level *parent;
	const char *name, *path; /* path inside the container, "" for its root */
	const char *lower;	 /* the host's directory below, or NULL when there is none */
	int from;
	int to; /* -1: not made yet */
};

static int save_directory(struct save *save, struct level *level);

static int fail(struct save *save, const char *what, const char *path)
{
	return error_set(save->err, errno, "cannot save: %s %s", what, path);
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

static int note_deletion(struct save *save, const char *path)
{
	if (!save->deletions) {
		int fd = openat(save->target, SAVE_DELETIONS,
			O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

		save->deletions = fd < 0 ? NULL : fdopen(fd, "w");
		if (!save->deletions)
			return fail(save, "list of deletions", SAVE_DELETIONS);
	}
	put_escaped(save->deletions, path);
	return 0;
}

/* Makes the directory's copy, and those above it, if they are not there yet. */
static int level_target(struct save *save, struct level *level)
{
	int parent;

	if (level->to >= 0)
		return level->to;
	parent = level_target(save, level->parent);
	if (parent < 0)
		return -1;
	if (mkdirat(parent, level->name, 0700) && errno != EEXIST)
		return fail(save, "make directory", level->path);
	level->to = openat(parent, level->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return level->to >= 0 ? level->to : fail(save, "open directory", level->path);
}

/* What the host has below an overlay; -1 when it has nothing there. */
static int lower_status(const struct save *save, const char *lower, struct stat *status)
{
	struct open_how how = {
		.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};
	cleanup_close int fd =
		(int)syscall(SYS_openat2, save->source->host, lower, &how, sizeof(how));

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

static int save_file(struct save *save, struct level *level, const char *name, const char *path,
	const struct stat *status)
{
	struct copy copy = { level->from, name, -1, name, status };
	const char *first = links_find(&save->links, status);

	if (S_ISSOCK(status->st_mode))
		return 0;
	copy.to = level_target(save, level);
	if (copy.to < 0)
		return -1;
	if (first) {
		if (linkat(save->target, first + 1, copy.to, name, 0))
			return fail(save, "link", path);
		return 0;
	}
	if (copy_file(&copy))
		return fail(save, "copy", path);
	return links_add(&save->links, status, path) ? fail(save, "copy", path) : 0;
}

/* Walks into a directory, and gives its copy the attributes when that was needed. */
static int save_below(struct save *save, struct level *level, bool own, const struct stat *status)
{
	int failed = save_directory(save, level);

	if (!failed && own)
		failed = level_target(save, level) < 0;
	if (!failed && level->to >= 0)
		copy_attributes(level->parent->to, level->name, status);
	if (level->to >= 0)
		close(level->to);
	return failed ? -1 : 0;
}

/* The overlay that lies at `path`: its changes are in an upper directory. */
static int save_overlay(
	struct save *save, struct level *level, const char *name, const struct placed *item)
{
	struct level below = { level, name, item->path, item->host, -1, -1 };
	struct stat status;
	char upper[32];
	int failed;

	snprintf(upper, sizeof(upper), "upper%u", item->upper);
	below.from = openat(save->source->layer, upper, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (below.from < 0 || fstat(below.from, &status))
		return fail(save, "open the changes of", item->path);
	times_saved(save->source->arena, item->path, &status);
	failed = save_below(save, &below, false, &status);
	close(below.from);
	return failed;
}

/* A directory of the layer itself. It counts as changed unless it is there for Stet's sake only. */
static int save_plain(struct save *save, struct level *level, const char *name, const char *path,
	const struct stat *status)
{
	cleanup_free char *lower = NULL;
	struct level below = { level, name, path, NULL, -1, -1 };
	bool own = !record_find(&save->source->record, path) &&
		   !record_below(&save->source->record, path);
	struct stat old;
	int failed = 0;

	below.from = openat(level->from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (below.from < 0)
		return fail(save, "open", path);
	if (level->lower && asprintf(&lower, "%s/%s", level->lower, name) < 0)
		failed = fail(save, "open", path);
	if (lower && is_opaque(below.from)) {
		if (lower_status(save, lower, &old) == 0)
			failed = note_deletion(save, path);
	} else {
		below.lower = lower;
	}
	if (!failed)
		failed = save_below(save, &below, own, status);
	close(below.from);
	return failed;
}

static bool is_unchanged(const struct placed *item, const struct stat *status)
{
	return item && item->kind == PLACED_FILE && item->inode == status->st_ino &&
	       item->ctime.tv_sec == status->st_ctim.tv_sec &&
	       item->ctime.tv_nsec == status->st_ctim.tv_nsec;
}

/* A file instead of the host's directory: what was below is deleted. */
static int note_replaced(struct save *save, struct level *level, const char *name, const char *path)
{
	cleanup_free char *lower = NULL;
	struct stat old;

	if (!level->lower)
		return 0;
	if (asprintf(&lower, "%s/%s", level->lower, name) < 0)
		return fail(save, "copy", path);
	if (lower_status(save, lower, &old) || !S_ISDIR(old.st_mode))
		return 0;
	return note_deletion(save, path);
}

static int save_entry(struct save *save, struct level *level, const char *name)
{
	cleanup_free char *path = NULL;
	const struct placed *item;
	struct stat status;

	if (asprintf(&path, "%s/%s", level->path, name) < 0)
		return fail(save, "copy", name);
	item = record_find(&save->source->record, path);
	if (item)
		save->seen[item - save->source->record.items] = true;
	if (item && item->kind == PLACED_MOUNT)
		return 0;
	if (fstatat(level->from, name, &status, AT_SYMLINK_NOFOLLOW))
		return fail(save, "look at", path);
	if (item && item->kind == PLACED_OVERLAY)
		return save_overlay(save, level, name, item);
	if (is_whiteout(&status))
		return note_deletion(save, path);
	if (is_unchanged(item, &status))
		return 0;
	times_saved(save->source->arena, path, &status);
	if (S_ISDIR(status.st_mode))
		return save_plain(save, level, name, path, &status);
	if (note_replaced(save, level, name, path))
		return -1;
	return save_file(save, level, name, path, &status);
}

static int save_directory(struct save *save, struct level *level)
{
	struct dirent **entries;
	int count = scandirat(level->from, ".", &entries, NULL, alphasort), failed = 0;

	if (count < 0)
		return fail(save, "read", level->path);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (!failed && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			failed = save_entry(save, level, name);
		free(entries[i]);
	}
	free(entries);
	return failed;
}

/*
 * An overlay on a directory that only the host has: no upper directory leads to it. `parent` has been
 * walked down to `path`, of which `rest` is left.
 */
static int save_remote(
	struct save *save, struct level *parent, const struct placed *item, const char *rest)
{
	cleanup_free char *path = NULL, *name = strndup(rest, strcspn(rest, "/"));
	struct level below = { parent, name, NULL, NULL, -1, -1 };
	struct stat status;
	int failed;

	if (!name || asprintf(&path, "%s/%s", parent->path, name) < 0)
		return fail(save, "copy", item->path);
	if (!rest[strlen(name)])
		return save_overlay(save, parent, name, item);
	below.path = path;
	failed = save_remote(save, &below, item, rest + strlen(name) + 1);
	if (below.to >= 0 && lower_status(save, path, &status) == 0) {
		times_saved(save->source->arena, path, &status);
		copy_attributes(parent->to, name, &status);
	}
	if (below.to >= 0)
		close(below.to);
	return failed;
}

/* What the walk did not come by: overlays in odd places, and files that are no longer there. */
static int save_unseen(struct save *save, struct level *root)
{
	const struct record *record = &save->source->record;

	for (size_t i = 0; i < record->count; i++) {
		const struct placed *item = &record->items[i];
		int failed = 0;

		if (save->seen[i] || record_find(record, item->path) != item || !item->path[1])
			continue;
		if (item->kind == PLACED_OVERLAY)
			failed = save_remote(save, root, item, item->path + 1);
		else if (item->kind == PLACED_FILE || item->kind == PLACED_DIRECTORY)
			failed = note_deletion(save, item->path);
		if (failed)
			return -1;
	}
	return 0;
}

int save_write(const struct save_source *source, int target, struct error *err)
{
	cleanup_free bool *seen = calloc(source->record.count + 1, sizeof(*seen));
	struct save save = { .source = source, .target = target, .seen = seen, .err = err };
	struct level root = { .name = "", .path = "", .from = -1, .to = target };
	int failed;

	/* What lay over it has become the container's root, so this is the bare directory. */
	root.from = openat(source->stage, &STAGE_ROOT[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root.from < 0 || !seen)
		return fail(&save, "open", STAGE_ROOT);
	failed = save_directory(&save, &root) || save_unseen(&save, &root);
	if (save.deletions && fclose(save.deletions))
		failed = fail(&save, "list of deletions", SAVE_DELETIONS);
	close(root.from);
	links_release(&save.links);
	return failed ? -1 : 0;
}

int save_prepare(struct save_source *source, const struct record *record, const struct arena *arena,
	struct error *err)
{
	int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;

	source->record = *record;
	source->arena = arena;
	source->stage = open("/", flags);
	source->layer = open(STAGE_LAYER, flags);
	source->host = open(STAGE_HOST, flags);
	if (source->stage < 0 || source->layer < 0 || source->host < 0)
		return error_set(err, errno, "cannot open the private layer");
	return 0;
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
