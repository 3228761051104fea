#include "box/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "box/attach.h"
#include "box/channel.h"
#include "box/copy.h"
#include "box/foreign.h"
#include "box/fresh.h"
#include "box/over.h"
#include "box/own_directories.h"
#include "box/short_counts.h"

#define COPY_LIMIT (1 << 20) /* larger files of a directory taken apart are shown read-only */

/* What an overlay has below it, from the top; "" for what it has not. */
struct lowers {
	char above[STAGE_PATH]; /* what lies over the directory */
	char between[64];	/* directories of the container's own */
	char lower[STAGE_PATH]; /* the directory */
};

/* Adds a name to a list in an overlay's options, with its separators escaped. */
static void add_escaped(char *list, size_t room, const char *name)
{
	size_t used = strlen(list);

	if (used && used + 1 < room)
		list[used++] = ':';
	for (; *name && used + 2 < room; name++) {
		if (strchr("\\:,", *name))
			list[used++] = '\\';
		list[used++] = *name;
	}
	list[used] = '\0';
}

/*
 * With xino all files of an overlay have one device, directories keep their inode numbers when they
 * leave the kernel's memory, and listings show the numbers that stat shows. Kernels that lack it do
 * not know the option.
 */
static int mount_overlay(const struct lowers *lowers, unsigned number, const char *target)
{
	static const char with_numbers[] = "xino=on,";
	const char *const paths[] = { lowers->above, lowers->between, lowers->lower };
	char list[4 * STAGE_PATH] = "", options[4 * STAGE_PATH + 160];

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i][0])
			add_escaped(list, sizeof(list), paths[i]);
	snprintf(options, sizeof(options),
		"%suserxattr,lowerdir=%s,upperdir=" STAGE_UPPER "%u,workdir=" STAGE_WORK "%u",
		with_numbers, list, number, number);
	if (mount("stet", target, "overlay", 0, options) == 0)
		return 0;
	return errno == EINVAL ? mount("stet", target, "overlay", 0, options + strlen(with_numbers))
			       : -1;
}

/* Whoever owns the files, the container can make new ones beside them; often that needs no layer
 * between. Not so on the host's own root, which is too large for it: see foreign.h. */
static int make_between(struct stage *stage, const struct stat *like, struct lowers *lowers,
	unsigned number, struct error *err)
{
	if (!own_directories_needed(like))
		return 0;
	stage->foreign = true;
	snprintf(lowers->between, sizeof(lowers->between), STAGE_LAYER "/between%u", number);
	if (mkdir(lowers->between, 0755))
		return error_set(err, errno, "cannot make directories for the layer");
	copy_attributes(AT_FDCWD, lowers->between, like);
	return own_directories_make(lowers->lower, lowers->between, err);
}

static int record_overlay(struct stage *stage, const char *host, const char *inside,
	unsigned number, struct error *err)
{
	struct placed *item = record_shown(&stage->record, PLACED_OVERLAY, inside, host);

	if (!item)
		return error_set(err, ENOMEM, "cannot lay out the container's root");
	item->upper = number;
	return 0;
}

static void find_lowers(
	const struct stage *stage, const char *host, const char *inside, struct lowers *lowers)
{
	char over[PATH_MAX];
	enum over_kind kind = over_look(stage, host, inside, over);

	snprintf(lowers->lower, STAGE_PATH, STAGE_HOST "%s", kind == OVER_OPAQUE ? over : host);
	if (kind == OVER_DIRECTORY)
		snprintf(lowers->above, STAGE_PATH, STAGE_HOST "%s", over);
}

static int overlay(struct stage *stage, const char *host, const char *inside,
	const struct stat *like, struct error *err)
{
	char target[STAGE_PATH], upper[64], work[64];
	struct lowers lowers = { 0 };
	unsigned number = stage->record.uppers++;
	size_t item;

	find_lowers(stage, host, inside, &lowers);
	snprintf(target, sizeof(target), STAGE_ROOT "%s", inside);
	snprintf(upper, sizeof(upper), STAGE_UPPER "%u", number);
	snprintf(work, sizeof(work), STAGE_WORK "%u", number);
	if (mkdir(upper, 0755) || mkdir(work, 0700) || (mkdir(target, 0755) && errno != EEXIST))
		return error_set(err, errno, "cannot make directories for the layer over %s", host);
	if (record_overlay(stage, host, inside, number, err))
		return -1;
	item = stage->record.count - 1;
	if (!stage->own_root ? make_between(stage, like, &lowers, number, err)
			     : fresh_put(stage, inside, upper, err) ||
				       foreign_open(stage, inside, upper, err))
		return -1;
	copy_attributes(AT_FDCWD, upper, like);
	if (short_counts_at(lowers.lower))
		stage->short_counts = true;
	if (mount_overlay(&lowers, number, target) == 0)
		return 0;
	if (errno == ENODEV)
		return error_set(err, 0,
			"this kernel has no overlay file systems; as root, run: modprobe overlay");
	channel_note(stage->notes, "%s is read-only: no overlay can be made there: %s", inside,
		strerror(errno));
	stage->record.items[item].kind = PLACED_MOUNT;
	return attach_path(lowers.lower, target, true, err);
}

/* What is at `target` already must not show, so a new directory is laid over it. */
static int cover_directory(struct stage *stage, const char *host, const char *inside,
	const struct stat *like, struct error *err)
{
	char target[STAGE_PATH], upper[64];
	unsigned number = stage->record.uppers++;

	snprintf(target, sizeof(target), STAGE_ROOT "%s", inside);
	snprintf(upper, sizeof(upper), STAGE_UPPER "%u", number);
	if (mkdir(upper, 0755))
		return error_set(err, errno, "cannot make a directory for the copy of %s", host);
	copy_attributes(AT_FDCWD, upper, like);
	if (attach_path(upper, target, false, err))
		return -1;
	return record_overlay(stage, host, inside, number, err);
}

/* An empty directory in the layer, to be filled by the container, or by taking `host` apart. */
static int place_directory(struct stage *stage, const char *host, const char *inside,
	const struct stat *like, struct error *err)
{
	char target[STAGE_PATH];

	snprintf(target, sizeof(target), STAGE_ROOT "%s", inside);
	if (mkdir(target, 0755) && strcmp(inside, "/") != 0) {
		if (errno == EEXIST)
			return cover_directory(stage, host, inside, like, err);
		return error_set(err, errno, "cannot make %s in the container", inside);
	}
	copy_attributes(AT_FDCWD, target, like);
	if (!record_shown(&stage->record, PLACED_DIRECTORY, inside, host))
		return error_set(err, ENOMEM, "cannot lay out the container's root");
	return 0;
}

static bool is_empty(DIR *dir)
{
	struct dirent *entry;
	bool empty = true;

	while (empty && (entry = readdir(dir)))
		empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
	rewinddir(dir);
	return empty;
}

static int join(char *to, const char *dir, const char *name, struct error *err)
{
	int n = snprintf(to, PATH_MAX, "%s/%s", strcmp(dir, "/") ? dir : "", name);

	return n < PATH_MAX ? 0 : error_set(err, ENAMETOOLONG, "%s/%s", dir, name);
}

/* A file or directory that lies over what the host has there, which is not seen then. */
static int layer_over(struct stage *stage, enum over_kind kind, const char *over,
	const char *inside, struct error *err)
{
	switch (kind) {
	case OVER_FILE:
		return layer_file(stage, over, inside, err);
	case OVER_DIRECTORY:
	case OVER_OPAQUE:
		return layer_directory(stage, over, inside, err);
	default:
		return 0;
	}
}

static int layer_entry(struct stage *stage, const char *host, const char *inside, struct error *err)
{
	char path[STAGE_PATH], target[STAGE_PATH], over[PATH_MAX];
	enum over_kind kind = over_look(stage, host, inside, over);
	struct stat status;
	mode_t mode;
	bool own;
	int done;

	snprintf(path, sizeof(path), STAGE_HOST "%s", host);
	snprintf(target, sizeof(target), STAGE_ROOT "%s", inside);
	if (lstat(path, &status))
		return 0; /* it has gone meanwhile, or may not be seen */
	own = stage->own_root;
	if (own && S_ISDIR(status.st_mode) && fresh_directory(stage, inside, &mode))
		return fresh_make(stage, inside, target, err);
	done = own ? fresh_file(stage, inside, target, err) : 0;
	if (done)
		return done < 0 ? -1 : 0;
	if (kind != OVER_NOTHING && (kind != OVER_DIRECTORY || !S_ISDIR(status.st_mode)))
		return layer_over(stage, kind, over, inside, err);
	if (S_ISDIR(status.st_mode))
		return layer_directory(stage, host, inside, err);
	if (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode))
		return layer_file(stage, host, inside, err);
	return 0;
}

static int take_apart(
	struct stage *stage, DIR *dir, const char *host, const char *inside, struct error *err)
{
	/* These are made afresh. */
	static const char own[] = " proc sys dev ";
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		char below_host[PATH_MAX], below_inside[PATH_MAX], word[NAME_MAX + 3];

		snprintf(word, sizeof(word), " %s ", entry->d_name);
		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
			(strcmp(inside, "/") == 0 && strstr(own, word)))
			continue;
		if (join(below_host, host, entry->d_name, err) ||
			join(below_inside, inside, entry->d_name, err) ||
			layer_entry(stage, below_host, below_inside, err))
			return -1;
	}
	return 0;
}

/* Nothing may be mounted below it. In an empty one there is nothing to be shown. */
static bool is_for_overlay(
	const struct stage *stage, DIR *dir, const char *host, const char *inside, bool bare)
{
	char *const *plain = stage->config->plain;

	if (!plain)
		return !mountinfo_below(&stage->mounts, host) &&
		       (stage->held || !bare || !is_empty(dir));
	while (*plain && strcmp(*plain, inside) != 0)
		plain++;
	return !*plain;
}

/* What lies over a directory that was taken apart, in places where that has nothing. */
static int add_over(struct stage *stage, const char *host, const char *inside, struct error *err)
{
	char over[PATH_MAX], path[STAGE_PATH];
	cleanup_dir DIR *dir = NULL;
	struct dirent *entry;

	if (over_look(stage, host, inside, over) != OVER_DIRECTORY)
		return 0;
	snprintf(path, sizeof(path), STAGE_HOST "%s", over);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		char below_host[PATH_MAX], below_over[PATH_MAX], below_inside[PATH_MAX];
		enum over_kind kind;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (join(below_host, host, entry->d_name, err) ||
			join(below_inside, inside, entry->d_name, err))
			return -1;
		snprintf(path, sizeof(path), STAGE_HOST "%s", below_host);
		kind = over_look(stage, below_host, below_inside, below_over);
		if (access(path, F_OK) && layer_over(stage, kind, below_over, below_inside, err))
			return -1;
	}
	return 0;
}

int layer_directory(struct stage *stage, const char *host, const char *inside, struct error *err)
{
	char lower[STAGE_PATH];
	char over[PATH_MAX];
	bool bare = over_look(stage, host, inside, over) == OVER_NOTHING;
	cleanup_dir DIR *dir = NULL;
	struct stat status;

	snprintf(lower, sizeof(lower), STAGE_HOST "%s", host);
	dir = opendir(lower);
	if (stat(lower, &status))
		return error_set(err, errno, "cannot look at %s", host);
	if (dir && is_for_overlay(stage, dir, host, inside, bare))
		return overlay(stage, host, inside, &status, err);
	if (place_directory(stage, host, inside, &status, err))
		return -1;
	if (dir && take_apart(stage, dir, host, inside, err))
		return -1;
	return add_over(stage, host, inside, err);
}

static int show_file(struct stage *stage, const char *host, const char *target, const char *inside,
	struct error *err)
{
	cleanup_close int fd = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	char source[STAGE_PATH];

	snprintf(source, sizeof(source), STAGE_HOST "%s", host);
	if (fd < 0 || !record_shown(&stage->record, PLACED_MOUNT, inside, host))
		return error_set(err, errno, "cannot make %s in the container", inside);
	channel_note(stage->notes, "%s is read-only: it is too large to be copied", inside);
	return attach_path(source, target, true, err);
}

/* Root's, unless it is the image's. */
static int put_file(
	struct stage *stage, const char *host, const char *inside, bool of_image, struct error *err)
{
	char source[STAGE_PATH], target[STAGE_PATH];
	struct stat status;
	struct copy copy = { AT_FDCWD, source, AT_FDCWD, target, &status };
	struct placed *item;

	snprintf(source, sizeof(source), STAGE_HOST "%s", host);
	snprintf(target, sizeof(target), STAGE_ROOT "%s", inside);
	if (lstat(source, &status))
		return error_set(err, errno, "cannot look at %s", host);
	if (!of_image)
		status.st_uid = status.st_gid = 0;
	if (S_ISREG(status.st_mode) && status.st_size > COPY_LIMIT && !stage->held)
		return show_file(stage, host, target, inside, err);
	if (copy_file(&copy)) {
		if (errno == EACCES)
			return 0; /* what may not be read is not there */
		return error_set(err, errno, "cannot copy %s into the container", host);
	}
	item = record_shown(&stage->record, PLACED_FILE, inside, host);
	if (!item || lstat(target, &status))
		return error_set(err, errno, "cannot copy %s into the container", host);
	item->inode = status.st_ino;
	item->ctime = status.st_ctim;
	return 0;
}

int layer_file(struct stage *stage, const char *host, const char *inside, struct error *err)
{
	return put_file(stage, host, inside, true, err);
}

int layer_copy(struct stage *stage, const char *host, const char *inside, struct error *err)
{
	return put_file(stage, host, inside, false, err);
}
