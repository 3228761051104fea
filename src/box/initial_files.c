#include "box/initial_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "box/attach.h"
#include "box/channel.h"
#include "box/inside.h"

#define MODE	   0644
#define COPY_LIMIT (256 << 20) /* larger ones are shown read-only: a copy would be in memory */
#define CHUNK	   (1 << 16)

/* Where a file goes: the directory, opened, and names inside without symbolic links. */
struct place {
	const struct box_file *file;
	int dir;
	const char *name;    /* in dir */
	char path[PATH_MAX]; /* the whole */
};

static int fail(const struct place *place, struct error *err)
{
	return error_set(
		err, errno, "cannot put a file at %s in the container", place->file->inside);
}

/* Makes the directories on the way. */
static int find(struct stage *stage, struct place *place, struct error *err)
{
	const char *inside = place->file->inside;
	cleanup_free char *parent = strdup(inside);
	size_t length;

	if (!parent)
		return error_set(err, ENOMEM, "cannot put a file at %s in the container", inside);
	place->name = strrchr(inside, '/') + 1;
	length = (size_t)(place->name - inside);
	parent[length > 1 ? length - 1 : 1] = '\0';
	place->dir = inside_point(&stage->record, parent, 1, place->path, err);
	if (place->dir < 0)
		return -1;
	length = strcmp(place->path, "/") ? strlen(place->path) : 0;
	if (length + 1 + strlen(place->name) >= sizeof(place->path))
		return error_set(err, ENAMETOOLONG, "%s", inside);
	sprintf(place->path + length, "/%s", place->name);
	return 0;
}

static bool is_same(int a, int b)
{
	char one[CHUNK], other[CHUNK];
	ssize_t n, m;

	do {
		n = read(a, one, sizeof(one));
		m = read(b, other, sizeof(other));
		if (n < 0 || n != m || memcmp(one, other, (size_t)n) != 0)
			return false;
	} while (n > 0);
	return true;
}

/* 1 when the host's file is the wanted one already, 0 when there is none. */
static int is_there(const struct place *place, int source, struct error *err)
{
	cleanup_close int fd =
		openat(place->dir, place->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd >= 0 && is_same(fd, source))
		return 1;
	return error_set(err, 0,
		"%s is there already, in a mounted directory, with other content: remove it, or "
		"choose another place inside",
		place->file->inside);
}

static int copy(const struct place *place, int source, struct error *err)
{
	cleanup_close int fd =
		openat(place->dir, place->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, MODE);
	ssize_t n;

	if (fd < 0)
		return fail(place, err);
	do
		n = sendfile(fd, source, NULL, COPY_LIMIT);
	while (n > 0);
	if (n == 0 && fchmod(fd, MODE) == 0)
		return 0;
	fail(place, err);
	unlinkat(place->dir, place->name, 0); /* it may be the host's disk that is full */
	return -1;
}

static int place_in_mount(const struct place *place, int source, struct error *err)
{
	int there = is_there(place, source, err);

	return there ? (there < 0 ? -1 : 0) : copy(place, source, err);
}

/* A private copy, which counts as changed when the run has changed it. */
static int place_in_layer(
	struct stage *stage, const struct place *place, int source, struct error *err)
{
	struct placed *item;
	struct stat status;

	if (unlinkat(place->dir, place->name, 0) && errno != ENOENT)
		return fail(place, err);
	if (copy(place, source, err))
		return -1;
	/* Fails where there is only one user inside; what is seen is root's, then, as all else. */
	(void)!fchownat(place->dir, place->name, 0, 0, AT_SYMLINK_NOFOLLOW);
	item = record_shown(&stage->record, PLACED_FILE, place->path, place->file->host);
	if (!item || fstatat(place->dir, place->name, &status, AT_SYMLINK_NOFOLLOW))
		return fail(place, err);
	item->mode = MODE;
	item->inode = status.st_ino;
	item->ctime = status.st_ctim;
	return 0;
}

static int show(struct stage *stage, const struct place *place, const char *host, struct error *err)
{
	char name[PATH_MAX];
	cleanup_close int point = inside_point(&stage->record, place->path, 0, name, err);
	cleanup_close int tree = point < 0 ? -1 : attach_clone(AT_FDCWD, host, true, err);

	if (tree < 0)
		return -1;
	if (!record_shown(&stage->record, PLACED_MOUNT, name, place->file->host))
		return fail(place, err);
	channel_note(stage->notes, "%s is read-only: it is too large to be copied", place->path);
	return attach_at(tree, point, place->path, err);
}

static int put(struct stage *stage, const struct place *place, const char *host, struct error *err)
{
	cleanup_close int source = open(host, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (source < 0 || fstat(source, &status))
		return error_set(err, errno, "cannot open %s", place->file->host);
	if (record_is_mounted(&stage->record, place->path))
		return place_in_mount(place, source, err);
	if (status.st_size > COPY_LIMIT)
		return show(stage, place, host, err);
	return place_in_layer(stage, place, source, err);
}

static int make_one(struct stage *stage, const struct box_file *file, struct error *err)
{
	struct place place = { .file = file, .dir = -1, .name = "" };
	char host[STAGE_PATH];
	int failed;

	snprintf(host, sizeof(host), STAGE_HOST "%s", file->host);
	failed = find(stage, &place, err) || put(stage, &place, host, err);
	cleanup_close_do(&place.dir);
	return failed ? -1 : 0;
}

int initial_files_make(struct stage *stage, struct error *err)
{
	const struct box_config *config = stage->config;

	for (size_t i = 0; i < config->file_count; i++)
		if (make_one(stage, &config->files[i], err))
			return -1;
	return 0;
}
