#include "deb/layer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/cleanup.h"

#define DELETIONS ".stet-deletions"

/* \012 and \134 stand for a newline and a backslash. */
static void unescape(char *path)
{
	char *to = path;
	unsigned byte;

	for (; *path; path++)
		if (*path == '\\' && sscanf(path + 1, "%3o", &byte) == 1) {
			*to++ = (char)byte;
			path += 3;
		} else {
			*to++ = *path;
		}
	*to = '\0';
}

/* A directory that looks like the image's, since it will be seen in its place. */
static int make_like(int root, int image, const char *path)
{
	struct stat status;

	if (mkdirat(root, path, 0755))
		return errno == EEXIST ? 0 : -1;
	if (fstatat(image, path, &status, 0))
		return 0;
	(void)!fchownat(root, path, status.st_uid, status.st_gid, 0); /* for root only */
	return fchmodat(root, path, status.st_mode & 07777, 0);
}

/* The directories that lead to `path`, which nothing else was saved in. */
static int make_parents(int root, int image, char *path)
{
	for (char *slash = path; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		if (make_like(root, image, path))
			return -1;
	}
	return 0;
}

/* What was deleted, or replaced: then something else is there. */
static int hide(int root, int image, char *path)
{
	cleanup_close int fd = openat(root, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat status;

	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISDIR(status.st_mode))
		return fsetxattr(fd, "user.overlay.opaque", "y", 1, 0);
	if (fd >= 0 || errno != ENOENT)
		return 0;
	return make_parents(root, image, path) || mknodat(root, path, S_IFCHR, 0) ? -1 : 0;
}

int layer_from_saved(const char *directory, const char *image, struct error *err)
{
	cleanup_close int below = open(image, O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int root = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = root < 0 ? -1 : openat(root, DELETIONS, O_RDONLY | O_CLOEXEC);
	cleanup_file FILE *list = fd < 0 ? NULL : fdopen(fd, "r");
	cleanup_free char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (root < 0 || (!list && errno != ENOENT))
		return error_set(err, errno, "cannot open %s", directory);
	while (list && (n = getline(&line, &room, list)) > 1) {
		line[n - 1] = '\0';
		unescape(line);
		if (hide(root, below, line + 1))
			return error_set(err, errno, "cannot keep that %s was deleted", line);
	}
	if (list && unlinkat(root, DELETIONS, 0))
		return error_set(err, errno, "cannot change %s", directory);
	return syncfs(root) ? error_set(err, errno, "cannot write %s", directory) : 0;
}
