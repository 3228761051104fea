#include "box/digest_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/file_text.h"

#define NSEC 1000000000

static int add_line(struct digest_lines *all, char *line, struct error *err)
{
	char **lines = all->lines;

	if (all->count == all->room) {
		all->room = all->room ? 2 * all->room : 1024;
		lines = reallocarray(lines, all->room, sizeof(*lines));
		if (!lines) {
			free(line);
			return error_set(err, ENOMEM, "--digest");
		}
		all->lines = lines;
	}
	lines[all->count++] = line;
	return 0;
}

/* A descriptor for its content or attributes; never waits for a FIFO, or a terminal. */
static int open_object(const struct digest_object *object)
{
	char link[32];

	if (object->name[0])
		return openat(object->dir, object->name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", object->dir);
	return open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static int put_opened(FILE *out, const struct digest_object *object)
{
	cleanup_close int fd = open_object(object);

	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		fputs(" unreadable", out);
		return 0;
	}
	if (fd < 0 || (S_ISREG(object->status->st_mode) && file_text_content(out, fd)))
		return -1;
	return file_text_attributes(out, fd);
}

static int put_link(FILE *out, const struct digest_object *object)
{
	char target[PATH_MAX + 1];
	ssize_t n = readlinkat(object->dir, object->name, target, PATH_MAX);

	if (n < 0)
		return -1;
	target[n] = '\0';
	fputc(' ', out);
	file_text_name(out, target);
	return 0;
}

static char type_letter(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return 'f';
	case S_IFDIR:
		return 'd';
	case S_IFLNK:
		return 'l';
	case S_IFIFO:
		return 'p';
	case S_IFSOCK:
		return 's';
	case S_IFCHR:
		return 'c';
	default:
		return 'b';
	}
}

static int put_details(FILE *out, const struct digest_object *object)
{
	const struct stat *status = object->status;

	switch (status->st_mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
		return put_opened(out, object);
	case S_IFLNK:
		return put_link(out, object);
	case S_IFCHR:
	case S_IFBLK:
		fprintf(out, " %u:%u", major(status->st_rdev), minor(status->st_rdev));
		return 0;
	default:
		return 0;
	}
}

/*
 * The logical time of the last change, if the run changed or made the file. In seconds, since
 * threads, which are not ordered among themselves, move the clock by a little more or less.
 */
static void put_time(const struct digest_lines *all, FILE *out, const struct inode *inode)
{
	if (!inode || !(inode->flags & (INODE_CHANGED | INODE_MADE)) || (all->relax & RELAX_MTIME))
		return;
	fprintf(out, " changed=%" PRId64, inode->mtime / NSEC);
}

static void put_owner(const struct digest_lines *all, FILE *out, const struct digest_object *object)
{
	const struct inode *inode = object->inode;
	bool set = inode && (inode->flags & INODE_OWNED) && !(all->relax & RELAX_INODE);

	fprintf(out, " %u:%u", set ? inode->uid : object->uid, set ? inode->gid : object->gid);
}

int digest_lines_add(
	struct digest_lines *all, const struct digest_object *object, struct error *err)
{
	const struct stat *status = object->status;
	char *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);
	int failed;

	if (!out)
		return error_set(err, ENOMEM, "--digest");
	fputc(object->deed, out);
	file_text_name(out, object->path);
	fprintf(out, " %c %04o", type_letter(status->st_mode), status->st_mode & 07777);
	put_owner(all, out, object);
	failed = put_details(out, object);
	put_time(all, out, object->inode);
	if (failed)
		error_set(err, errno, "--digest: cannot read %s", object->path);
	if (fclose(out) || failed) {
		free(line);
		return failed ? -1 : error_set(err, ENOMEM, "--digest");
	}
	return add_line(all, line, err);
}

int digest_lines_add_deletion(struct digest_lines *all, const char *path, struct error *err)
{
	char *line = NULL;
	size_t size;
	FILE *out = open_memstream(&line, &size);

	if (!out)
		return error_set(err, ENOMEM, "--digest");
	fputc(BOX_DELETED, out);
	file_text_name(out, path);
	fputs(" deleted", out);
	if (fclose(out))
		return error_set(err, ENOMEM, "--digest");
	return add_line(all, line, err);
}

/* Without the letter. */
static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a + 1, *(char *const *)b + 1);
}

static int write_lines(const struct digest_lines *all, int list)
{
	int fd = fcntl(list, F_DUPFD_CLOEXEC, 0);
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out && fd >= 0)
		close(fd);
	if (!out)
		return -1;
	for (size_t i = 0; i < all->count; i++) {
		fputs(all->lines[i], out);
		fputc('\n', out);
	}
	return fclose(out);
}

int digest_lines_finish(struct digest_lines *all, char text[HASH_TEXT], int list, struct error *err)
{
	struct hash hash;
	int failed;

	if (all->count)
		qsort(all->lines, all->count, sizeof(*all->lines), compare_lines);
	failed = list >= 0 && write_lines(all, list) ? error_set(err, errno, "cannot list files")
						     : 0;
	hash_start(&hash);
	for (size_t i = 0; i < all->count; i++) {
		hash_add(&hash, all->lines[i] + 1, strlen(all->lines[i]) - 1);
		hash_add(&hash, "\n", 1);
		free(all->lines[i]);
	}
	free(all->lines);
	hash_finish(&hash, text);
	return failed;
}
