/*
 * A file system that shows a directory and moves one byte per call: `partialfs DIRECTORY
 * MOUNTPOINT`, with fuse's own options behind. To open a file whose name begins with "slow" takes
 * 20 to 60 ms. Local file systems never do this; those of other machines or processes may, whenever
 * they like.
 */
#define _GNU_SOURCE
#define FUSE_USE_VERSION 31
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fuse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int backing;

static const char *below(const char *path)
{
	return path[1] ? path + 1 : ".";
}

static int result(int r)
{
	return r < 0 ? -errno : r;
}

static int get_attributes(const char *path, struct stat *st, struct fuse_file_info *file)
{
	(void)file;
	return result(fstatat(backing, below(path), st, AT_SYMLINK_NOFOLLOW));
}

static int list(const char *path, void *buffer, fuse_fill_dir_t fill, off_t offset,
	struct fuse_file_info *file, enum fuse_readdir_flags flags)
{
	DIR *dir = fdopendir(openat(backing, below(path), O_RDONLY | O_DIRECTORY));
	struct dirent *entry;

	(void)offset, (void)file, (void)flags;
	if (!dir)
		return -errno;
	while ((entry = readdir(dir)))
		fill(buffer, entry->d_name, NULL, 0, 0);
	closedir(dir);
	return 0;
}

static void take_time(const char *path)
{
	if (!strncmp(path, "/slow", 5))
		usleep(20000 + (useconds_t)(random() % 40000));
}

static int open_at(const char *path, int flags, mode_t mode, struct fuse_file_info *file)
{
	int fd;

	take_time(path);
	fd = openat(backing, below(path), flags & ~O_DIRECT, mode);
	if (fd < 0)
		return -errno;
	file->fh = (uint64_t)fd;
	file->direct_io = 1; /* the kernel hands each call on as it is */
	return 0;
}

static int open_file(const char *path, struct fuse_file_info *file)
{
	return open_at(path, file->flags, 0, file);
}

static int create_file(const char *path, mode_t mode, struct fuse_file_info *file)
{
	return open_at(path, file->flags | O_CREAT, mode, file);
}

static int read_one(
	const char *path, char *buffer, size_t bytes, off_t offset, struct fuse_file_info *file)
{
	(void)path;
	return result((int)pread((int)file->fh, buffer, bytes ? 1 : 0, offset));
}

static int write_one(const char *path, const char *buffer, size_t bytes, off_t offset,
	struct fuse_file_info *file)
{
	(void)path;
	return result((int)pwrite((int)file->fh, buffer, bytes ? 1 : 0, offset));
}

static int resize(const char *path, off_t bytes, struct fuse_file_info *file)
{
	int fd = file ? dup((int)file->fh) : openat(backing, below(path), O_WRONLY), r;

	if (fd < 0)
		return -errno;
	r = result(ftruncate(fd, bytes));
	close(fd);
	return r;
}

static int remove_file(const char *path)
{
	return result(unlinkat(backing, below(path), 0));
}

static int release(const char *path, struct fuse_file_info *file)
{
	(void)path;
	close((int)file->fh);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct fuse_operations operations = {
		.getattr = get_attributes,
		.readdir = list,
		.open = open_file,
		.create = create_file,
		.read = read_one,
		.write = write_one,
		.truncate = resize,
		.unlink = remove_file,
		.release = release,
	};

	if (argc < 3 || (backing = open(argv[1], O_RDONLY | O_DIRECTORY)) < 0) {
		fprintf(stderr, "partialfs: cannot open the directory\n");
		return 1;
	}
	argv[1] = argv[0];
	return fuse_main(argc - 1, argv + 1, &operations, NULL);
}
