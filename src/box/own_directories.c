#include "box/own_directories.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/cleanup.h"

#define OVERFLOW_ID 65534 /* how the kernel shows ids that a user namespace does not have */
#define ATTRIBUTES  65536 /* the kernel's limit on names and on values */

bool own_directories_needed(const struct stat *root)
{
	return root->st_uid == OVERFLOW_ID || root->st_gid == OVERFLOW_ID;
}

static void copy_attribute(int from, int to, const char *name)
{
	cleanup_free char *value = malloc(ATTRIBUTES);
	ssize_t n = value ? fgetxattr(from, name, value, ATTRIBUTES) : -1;

	if (n >= 0)
		fsetxattr(to, name, value, (size_t)n, 0);
}

/* Those that programs can see, see digest_lines.c; nearly always there are none. */
static void copy_attributes(int from, int to)
{
	ssize_t bytes = flistxattr(from, NULL, 0);
	cleanup_free char *names = bytes > 0 ? malloc((size_t)bytes) : NULL;

	bytes = names ? flistxattr(from, names, (size_t)bytes) : 0;
	for (const char *name = names; bytes > 0 && name < names + bytes; name += strlen(name) + 1)
		if (strncmp(name, "user.", 5) == 0 && strncmp(name, "user.overlay.", 13) != 0)
			copy_attribute(from, to, name);
}

static int copy_below(int from, int to);

static int copy_fifo(int from, int to, const char *name)
{
	struct stat status;

	if (fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) || !S_ISFIFO(status.st_mode))
		return 0;
	return mkfifoat(to, name, 0600) || fchmodat(to, name, status.st_mode & 07777, 0) ? -1 : 0;
}

static int copy_directory(int from_parent, int to_parent, const char *name)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	cleanup_close int from = openat(from_parent, name, flags), to = -1;
	struct stat status;

	/* A layer over one in which nothing may be looked up would show it empty. */
	if (from < 0 || faccessat(from_parent, name, X_OK, 0))
		return errno == EACCES || errno == ENOENT ? 0 : -1;
	if (mkdirat(to_parent, name, 0700))
		return -1;
	to = openat(to_parent, name, flags);
	if (to < 0 || fstat(from, &status) || fchmod(to, status.st_mode & 07777))
		return -1;
	copy_attributes(from, to);
	return copy_below(from, to);
}

/* Not all file systems tell the type with the name. */
static int copy_entry(int from, int to, const struct dirent *entry)
{
	const char *name = entry->d_name;
	unsigned type = entry->d_type;
	struct stat status;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return 0;
	if (type == DT_UNKNOWN && fstatat(from, name, &status, AT_SYMLINK_NOFOLLOW) == 0)
		type = IFTODT(status.st_mode);
	if (type == DT_DIR)
		return copy_directory(from, to, name);
	return type == DT_FIFO ? copy_fifo(from, to, name) : 0;
}

static int copy_below(int from, int to)
{
	int fd = fcntl(from, F_DUPFD_CLOEXEC, 0);
	cleanup_dir DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((errno = 0, entry = readdir(dir)))
		if (copy_entry(from, to, entry))
			return -1;
	return errno ? -1 : 0;
}

int own_directories_make(const char *from, const char *to, struct error *err)
{
	cleanup_close int from_fd = open(from, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int to_fd = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (from_fd < 0 || to_fd < 0 || copy_below(from_fd, to_fd))
		return error_set(err, errno, "cannot make the image's directories anew");
	return 0;
}
