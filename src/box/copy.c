#include "box/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sendfile.h>

#include "base/attributes.h"
#include "base/cleanup.h"

#define CHUNK (1 << 24)

void copy_attributes(int dir, const char *name, const struct stat *status)
{
	struct timespec times[2] = { status->st_atim, status->st_mtim };

	(void)!fchownat(dir, name, status->st_uid, status->st_gid, AT_SYMLINK_NOFOLLOW);
	if (!S_ISLNK(status->st_mode)) /* after the owner: a change of owner clears bits */
		fchmodat(dir, name, status->st_mode & 07777, 0);
	utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW);
}

void copy_extended(int from, int to)
{
	struct attributes attributes;

	if (attributes_read(from, &attributes) == 0)
		attributes_give(&attributes, to);
	attributes_release(&attributes);
}

static int copy_content(const struct copy *copy)
{
	cleanup_close int in =
		openat(copy->from, copy->from_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	cleanup_close int out = -1;
	ssize_t n;

	if (in < 0)
		return -1;
	out = openat(copy->to, copy->to_name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (out < 0)
		return -1;
	/* Where the file system can share the content, nothing has to be moved. */
	n = ioctl(out, FICLONE, in) == 0 ? 0 : CHUNK;
	while (n > 0)
		n = sendfile(out, in, NULL, CHUNK);
	copy_extended(in, out);
	return n < 0 ? -1 : 0;
}

static int copy_link(const struct copy *copy)
{
	char text[PATH_MAX];
	ssize_t n = readlinkat(copy->from, copy->from_name, text, sizeof(text) - 1);

	if (n < 0)
		return -1;
	text[n] = '\0';
	return symlinkat(text, copy->to, copy->to_name);
}

int copy_file(const struct copy *copy)
{
	int failed;

	if (S_ISREG(copy->status->st_mode))
		failed = copy_content(copy);
	else if (S_ISLNK(copy->status->st_mode))
		failed = copy_link(copy);
	else if (S_ISFIFO(copy->status->st_mode))
		failed = mkfifoat(copy->to, copy->to_name, 0600);
	else
		failed = (errno = EINVAL, -1);
	if (failed)
		return -1;
	copy_attributes(copy->to, copy->to_name, copy->status);
	return 0;
}
