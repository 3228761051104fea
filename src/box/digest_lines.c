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
#include "box/attributes.h"

#define CHUNK (1 << 18)
#define NSEC  1000000000

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

/* So that no name can look like two fields, or like a line. */
static void put_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c <= ' ' || c == '\\' || c == 0x7f)
			fprintf(out, "\\%03o", c);
		else
			fputc(c, out);
	}
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

static int put_content(FILE *out, int fd)
{
	cleanup_free char *buffer = malloc(CHUNK);
	char text[HASH_TEXT];
	struct hash hash;
	ssize_t n = buffer ? 0 : -1;

	hash_start(&hash);
	while (buffer && (n = read(fd, buffer, CHUNK)) > 0)
		hash_add(&hash, buffer, (size_t)n);
	if (n < 0)
		return -1;
	hash_finish(&hash, text);
	fprintf(out, " %" PRIu64 " sha256:%s", hash.bytes, text);
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void put_attribute(FILE *out, const struct tar_attribute *attribute)
{
	const unsigned char *value = attribute->value;

	fputc(' ', out);
	put_text(out, attribute->name);
	fputc('=', out);
	for (size_t i = 0; i < attribute->bytes; i++)
		fprintf(out, "%02x", value[i]);
}

static int put_attributes(FILE *out, int fd)
{
	struct attributes attributes;
	int failed = attributes_read(fd, &attributes);

	for (size_t i = 0; i < attributes.count && !failed; i++)
		put_attribute(out, &attributes.list[i]);
	attributes_release(&attributes);
	return failed;
}

static int put_opened(FILE *out, const struct digest_object *object)
{
	cleanup_close int fd = open_object(object);

	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		fputs(" unreadable", out);
		return 0;
	}
	if (fd < 0 || (S_ISREG(object->status->st_mode) && put_content(out, fd)))
		return -1;
	return put_attributes(out, fd);
}

static int put_link(FILE *out, const struct digest_object *object)
{
	char target[PATH_MAX + 1];
	ssize_t n = readlinkat(object->dir, object->name, target, PATH_MAX);

	if (n < 0)
		return -1;
	target[n] = '\0';
	fputc(' ', out);
	put_text(out, target);
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
	put_text(out, object->path);
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
	put_text(out, path);
	fputs(" deleted", out);
	if (fclose(out))
		return error_set(err, ENOMEM, "--digest");
	return add_line(all, line, err);
}

void digest_lines_finish(struct digest_lines *all, char text[HASH_TEXT])
{
	struct hash hash;

	if (all->count)
		qsort(all->lines, all->count, sizeof(*all->lines), compare_names);
	hash_start(&hash);
	for (size_t i = 0; i < all->count; i++) {
		hash_add(&hash, all->lines[i], strlen(all->lines[i]));
		hash_add(&hash, "\n", 1);
		free(all->lines[i]);
	}
	free(all->lines);
	hash_finish(&hash, text);
}
