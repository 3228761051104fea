#include "image/owners_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

/* The path of what the walk looks at, inside the image. */
struct place {
	char *text;
	size_t length, room;
};

struct walk {
	struct owners *owners;
	uid_t uid; /* the caller's */
	gid_t gid;
	struct place at;
	struct error *err;
};

static int fail(struct walk *walk)
{
	return error_set(walk->err, errno, "--image: cannot look at %s in it",
		walk->at.length ? walk->at.text : "/");
}

/* Goes down to `name`; going up again is setting the length back. */
static int enter(struct place *at, const char *name)
{
	size_t length = strlen(name), needed = at->length + length + 2;

	if (needed > at->room) {
		char *text = realloc(at->text, 2 * needed);

		if (!text)
			return -1;
		at->text = text;
		at->room = 2 * needed;
	}
	at->text[at->length] = '/';
	memcpy(at->text + at->length + 1, name, length + 1);
	at->length += length + 1;
	return 0;
}

static void leave(struct place *at, size_t length)
{
	at->length = length;
	at->text[length] = '\0';
}

static int note(struct walk *walk, const struct stat *status)
{
	uid_t uid = status->st_uid == walk->uid ? 0 : status->st_uid;
	gid_t gid = status->st_gid == walk->gid ? 0 : status->st_gid;
	const char *path = walk->at.length ? walk->at.text : "/";

	return uid || gid ? owners_add(walk->owners, path, uid, gid, walk->err) : 0;
}

static int walk_directory(struct walk *walk, int dir);

/* It may not be looked at, or has gone meanwhile. */
static int pass_by(struct walk *walk)
{
	return errno == EACCES || errno == ENOENT ? 0 : fail(walk);
}

static int walk_below(struct walk *walk, int parent, const char *name)
{
	int dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return dir >= 0 ? walk_directory(walk, dir) : pass_by(walk);
}

static int look(struct walk *walk, int dir, const char *name)
{
	struct stat status;

	if (fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW))
		return pass_by(walk);
	if (note(walk, &status))
		return -1;
	return S_ISDIR(status.st_mode) ? walk_below(walk, dir, name) : 0;
}

static int walk_entry(struct walk *walk, int dir, const char *name)
{
	size_t length = walk->at.length;

	if (enter(&walk->at, name))
		return fail(walk);
	if (look(walk, dir, name))
		return -1;
	leave(&walk->at, length);
	return 0;
}

/* Takes the descriptor. */
static int walk_directory(struct walk *walk, int fd)
{
	cleanup_dir DIR *dir = fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		close(fd);
		return fail(walk);
	}
	while ((errno = 0, entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
			walk_entry(walk, fd, entry->d_name))
			return -1;
	return errno ? fail(walk) : 0;
}

int owners_walk(struct owners *owners, const char *root, struct error *err)
{
	struct walk walk = { .owners = owners, .uid = geteuid(), .gid = getegid(), .err = err };
	int dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC), failed;
	struct stat status;

	if (dir < 0)
		return error_set(err, errno, "--image: cannot read %s", root);
	failed = fstat(dir, &status) || note(&walk, &status) ? -1 : 0;
	if (failed)
		close(dir);
	else
		failed = walk_directory(&walk, dir);
	free(walk.at.text);
	return failed;
}
