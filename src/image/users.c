#include "image/users.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/within.h"

#define FILE_MAX (4 << 20) /* bytes that such a file may have */
#define FIELDS	 4	   /* name, password, id, and a user's group */

static int open_inside(const char *root, const char *path)
{
	cleanup_close int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	return dir < 0 ? -1
		       : open_within(dir, path, O_RDONLY | O_NONBLOCK,
				 RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
}

/* The file's text, to be freed; "" when it is missing; NULL on errors. */
static char *read_inside(const char *root, const char *path, struct error *err)
{
	cleanup_close int fd = open_inside(root, path);
	struct stat status = { 0 };
	cleanup_free char *text = NULL;
	char *whole;
	ssize_t got;

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return strdup("");
	if (fd < 0 || fstat(fd, &status)) {
		error_set(err, errno, "cannot open %s of the image", path);
		return NULL;
	}
	if (!S_ISREG(status.st_mode) || status.st_size > FILE_MAX) {
		error_set(err, 0, "%s of the image is no plain file of at most %d MiB", path,
			FILE_MAX >> 20);
		return NULL;
	}
	text = calloc(1, (size_t)status.st_size + 1);
	got = text ? pread(fd, text, (size_t)status.st_size, 0) : -1;
	if (got < 0) {
		error_set(err, errno, "cannot read %s of the image", path);
		return NULL;
	}
	text[got] = 0;
	whole = text;
	text = NULL;
	return whole;
}

/* The first line whose name or number is `who`, cut into its fields. */
static bool find_line(char *text, const char *who, char *fields[FIELDS])
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		for (int i = 0; i < FIELDS; i++) {
			fields[i] = strsep(&line, ":");
			if (!fields[i])
				fields[i] = "";
		}
		if (strcmp(fields[0], who) == 0 || strcmp(fields[2], who) == 0)
			return true;
	}
	return false;
}

/* The largest number means "no id" to the kernel. */
static bool read_id(const char *text, unsigned int *id)
{
	unsigned long number;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	number = strtoul(text, &end, 10);
	if (errno || *end || number >= UINT_MAX)
		return false;
	*id = (unsigned int)number;
	return true;
}

static int find_group(const char *root, const char *group, gid_t *gid, struct error *err)
{
	cleanup_free char *text = read_inside(root, "/etc/group", err);
	char *fields[FIELDS];

	if (!text)
		return -1;
	if (!read_id(find_line(text, group, fields) ? fields[2] : group, gid))
		return error_set(err, 0, "the image has no group %.100s in /etc/group", group);
	return 0;
}

static int find_user(const char *root, const char *user, uid_t *uid, gid_t *gid, struct error *err)
{
	cleanup_free char *text = read_inside(root, "/etc/passwd", err);
	char *fields[FIELDS];
	bool found;

	if (!text)
		return -1;
	found = find_line(text, user, fields);
	if (!read_id(found ? fields[2] : user, uid))
		return error_set(err, 0,
			"the image has no user %.100s in /etc/passwd: choose one by --user", user);
	if (!found || !read_id(fields[3], gid))
		*gid = 0;
	return 0;
}

int image_user_find(const char *root, const char *user, uid_t *uid, gid_t *gid, struct error *err)
{
	cleanup_free char *name = strdup(user);
	char *group;

	if (!name)
		return error_set(err, ENOMEM, "cannot find the image's user");
	group = strchr(name, ':');
	if (group)
		*group++ = 0;
	if (find_user(root, *name ? name : "0", uid, gid, err))
		return -1;
	return group && *group ? find_group(root, group, gid, err) : 0;
}
