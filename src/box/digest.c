#include "box/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include "arena/inodes.h"
#include "base/cleanup.h"

#define VERSION	      "stet digest 1"
#define CHUNK	      (1 << 18)
#define NSEC	      1000000000
#define OVERFLOW_ID   65534 /* how the kernel shows ids that a user namespace does not have */
#define ATTRIBUTE_MAX 65536 /* the kernel's limit on names and on values */

struct digest {
	const struct digest_files *files;
	char **lines;
	size_t count, room;
	char *buffer; /* CHUNK */
};

/* One file, and where it is found. */
struct object {
	const char *path; /* inside */
	int dir;	  /* and the name there; without a name, the object itself (O_PATH) */
	const char *name;
	const struct stat *status;
	const struct inode *inode; /* as the container knows it, or NULL */
	uid_t uid;		   /* unless the container set it */
	gid_t gid;
};

void digest_own_add(struct digest_own *own, int fd)
{
	struct stat status;

	if (fd < 0 || own->count == DIGEST_OWN || fstat(fd, &status) ||
		(!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)))
		return;
	own->files[own->count].device = status.st_dev;
	own->files[own->count++].inode = status.st_ino;
}

static bool is_own(const struct digest_own *own, const struct stat *status)
{
	for (size_t i = 0; i < own->count; i++)
		if (own->files[i].device == status->st_dev && own->files[i].inode == status->st_ino)
			return true;
	return false;
}

static int fail(struct error *err, const char *path)
{
	return error_set(err, errno, "--digest: cannot read %s", path);
}

/* Lines. */

static int add_line(struct digest *digest, char *line, struct error *err)
{
	char **lines = digest->lines;

	if (digest->count == digest->room) {
		digest->room = digest->room ? 2 * digest->room : 1024;
		lines = reallocarray(lines, digest->room, sizeof(*lines));
		if (!lines) {
			free(line);
			return error_set(err, ENOMEM, "--digest");
		}
		digest->lines = lines;
	}
	lines[digest->count++] = line;
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
static int open_object(const struct object *object)
{
	char link[32];

	if (object->name[0])
		return openat(object->dir, object->name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", object->dir);
	return open(link, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static int put_content(struct digest *digest, FILE *out, int fd)
{
	char text[HASH_TEXT];
	struct hash hash;
	ssize_t n;

	hash_start(&hash);
	while ((n = read(fd, digest->buffer, CHUNK)) > 0)
		hash_add(&hash, digest->buffer, (size_t)n);
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

static void put_attribute(FILE *out, int fd, const char *name)
{
	cleanup_free char *value = malloc(ATTRIBUTE_MAX);
	ssize_t n = value ? fgetxattr(fd, name, value, ATTRIBUTE_MAX) : -1;

	if (n < 0)
		return;
	fputc(' ', out);
	put_text(out, name);
	fputc('=', out);
	for (ssize_t i = 0; i < n; i++)
		fprintf(out, "%02x", (unsigned char)value[i]);
}

/* Those that are the program's: user.*, without what overlays keep there. */
static void put_attributes(FILE *out, int fd)
{
	cleanup_free char *names = malloc(ATTRIBUTE_MAX), **sorted = NULL;
	ssize_t bytes = flistxattr(fd, NULL, 0);
	size_t count = 0;

	if (bytes <= 0) /* nearly always */
		return;
	bytes = names ? flistxattr(fd, names, ATTRIBUTE_MAX) : -1;
	sorted = bytes > 0 ? calloc((size_t)bytes, sizeof(*sorted)) : NULL;
	for (char *name = names; sorted && name < names + bytes; name += strlen(name) + 1)
		if (strncmp(name, "user.", 5) == 0 && strncmp(name, "user.overlay.", 13) != 0)
			sorted[count++] = name;
	if (count)
		qsort(sorted, count, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < count; i++)
		put_attribute(out, fd, sorted[i]);
}

static int put_opened(struct digest *digest, FILE *out, const struct object *object)
{
	cleanup_close int fd = open_object(object);

	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		fputs(" unreadable", out);
		return 0;
	}
	if (fd < 0 || (S_ISREG(object->status->st_mode) && put_content(digest, out, fd)))
		return -1;
	put_attributes(out, fd);
	return 0;
}

static int put_link(FILE *out, const struct object *object)
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

static int put_details(struct digest *digest, FILE *out, const struct object *object)
{
	const struct stat *status = object->status;

	switch (status->st_mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
		return put_opened(digest, out, object);
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
 * The logical time of the last change, if the run changed or made the file. In seconds: how often a
 * reader of a pipe wrote on is not yet the same in each run.
 */
static void put_time(struct digest *digest, FILE *out, const struct inode *inode)
{
	if (!inode || !(inode->flags & (INODE_CHANGED | INODE_MADE)) ||
		(digest->files->config->relax & RELAX_MTIME))
		return;
	fprintf(out, " changed=%" PRId64, inode->mtime / NSEC);
}

static void put_owner(struct digest *digest, FILE *out, const struct object *object)
{
	const struct inode *inode = object->inode;
	bool set = inode && (inode->flags & INODE_OWNED) &&
		   !(digest->files->config->relax & RELAX_INODE);

	fprintf(out, " %u:%u", set ? inode->uid : object->uid, set ? inode->gid : object->gid);
}

static int add_object(struct digest *digest, const struct object *object, struct error *err)
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
	put_owner(digest, out, object);
	failed = put_details(digest, out, object);
	put_time(digest, out, object->inode);
	if (failed)
		fail(err, object->path);
	if (fclose(out) || failed) {
		free(line);
		return failed ? -1 : error_set(err, ENOMEM, "--digest");
	}
	return add_line(digest, line, err);
}

static int add_deletion(void *context, const char *path, struct error *err)
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
	return add_line(context, line, err);
}

/* The private layer. */

/* Whom the container sees as the owner: what came with the image belongs to root. */
static unsigned owner(unsigned now, const unsigned *before)
{
	return now == OVERFLOW_ID || (before && *before == now) ? 0 : now;
}

/* The container saw it through the overlay, under other numbers than here. */
static const struct inode *look_up(const struct digest *digest, const char *path)
{
	struct stat seen;

	return lstat(path, &seen) ? NULL
				  : inodes_find(digest->files->arena, seen.st_dev, seen.st_ino);
}

static int add_change(struct digest *digest, const struct change *change, const struct stat *before,
	struct error *err)
{
	struct object object = {
		.path = change->path,
		.dir = change->dir,
		.name = S_ISDIR(change->status->st_mode) ? "." : change->name,
		.status = change->status,
		.inode = look_up(digest, change->path),
		.uid = owner(change->status->st_uid, before ? &before->st_uid : NULL),
		.gid = owner(change->status->st_gid, before ? &before->st_gid : NULL),
	};

	return add_object(digest, &object, err);
}

static const struct stat *look_before(
	const struct digest *digest, const struct change *change, struct stat *before)
{
	if (!change->lower || changes_before(digest->files->changes, change->lower, before))
		return NULL;
	return before;
}

static int add_file(void *context, const struct change *file, struct error *err)
{
	struct stat before;

	return add_change(context, file, look_before(context, file, &before), err);
}

/* A directory that was there before is part of the changes only if it looks different now. */
static int add_directory(void *context, const struct change *directory, struct error *err)
{
	struct stat room;
	const struct stat *now = directory->status, *before;

	if (!directory->own)
		return 0;
	before = look_before(context, directory, &room);
	if (before && before->st_mode == now->st_mode && before->st_uid == now->st_uid &&
		before->st_gid == now->st_gid)
		return 0;
	return add_change(context, directory, before, err);
}

static int leave_directory(void *context, const struct change *directory, struct error *err)
{
	(void)context, (void)directory, (void)err;
	return 0;
}

/* The mounts. */

static int add_tree(struct digest *digest, const char *path, int dir, struct error *err);

static int add_below(struct digest *digest, const char *path, int dir, const char *name,
	const struct stat *status, struct error *err)
{
	cleanup_close int below =
		openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (below >= 0)
		return add_tree(digest, path, below, err);
	return errno == EACCES ? 0 : fail(err, path);
}

/* Other mounts are counted by themselves, if at all; places that Stet made for them are nothing. */
static int add_entry(
	struct digest *digest, const char *parent, int dir, const char *name, struct error *err)
{
	const struct box_config *config = digest->files->config;
	cleanup_free char *path = NULL;
	const struct placed *item;
	struct stat status;
	struct object object = { NULL, dir, name, &status, NULL, config->uid, config->gid };

	if (asprintf(&path, "%s/%s", strcmp(parent, "/") ? parent : "", name) < 0)
		return error_set(err, ENOMEM, "--digest");
	object.path = path;
	item = record_find(&digest->files->changes->record, path);
	if (item && item->kind != PLACED_POINT)
		return 0;
	if (fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW))
		return fail(err, path);
	if (is_own(digest->files->own, &status))
		return 0;
	object.inode = inodes_find(digest->files->arena, status.st_dev, status.st_ino);
	if (!item && add_object(digest, &object, err))
		return -1;
	return S_ISDIR(status.st_mode) ? add_below(digest, path, dir, name, &status, err) : 0;
}

static int add_tree(struct digest *digest, const char *path, int dir, struct error *err)
{
	struct dirent **entries;
	int count = scandirat(dir, ".", &entries, NULL, NULL), failed = 0;

	if (count < 0)
		return fail(err, path);
	for (int i = 0; i < count; i++) {
		const char *name = entries[i]->d_name;

		if (!failed && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
			failed = add_entry(digest, path, dir, name, err);
		free(entries[i]);
	}
	free(entries);
	return failed;
}

/* The mounted directory itself is a mount point, which is no content; a file is. */
static int add_mount(struct digest *digest, const struct placed *item, struct error *err)
{
	const struct box_config *config = digest->files->config;
	cleanup_close int dir = openat(item->tree, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat status;
	struct object object = { item->path, item->tree, "", &status, NULL, config->uid,
		config->gid };

	if (dir >= 0)
		return add_tree(digest, item->path, dir, err);
	if (fstat(item->tree, &status) || S_ISDIR(status.st_mode))
		return fail(err, item->path);
	object.inode = inodes_find(digest->files->arena, status.st_dev, status.st_ino);
	return is_own(digest->files->own, &status) ? 0 : add_object(digest, &object, err);
}

static int add_all(struct digest *digest, struct error *err)
{
	const struct record *record = &digest->files->changes->record;
	struct changes_visitor visitor = {
		.context = digest,
		.enter = add_directory,
		.leave = leave_directory,
		.file = add_file,
		.deleted = add_deletion,
	};

	if (changes_walk(digest->files->changes, &visitor, err))
		return -1;
	for (size_t i = 0; i < record->count; i++) {
		const struct placed *item = &record->items[i];

		/* Of those at one place, the last is seen. */
		if (item->tree >= 0 && record_find(record, item->path) == item &&
			add_mount(digest, item, err))
			return -1;
	}
	return 0;
}

int digest_of_files(const struct digest_files *files, char text[HASH_TEXT], struct error *err)
{
	cleanup_free char *buffer = malloc(CHUNK);
	struct digest digest = { .files = files, .buffer = buffer };
	struct hash hash;
	int failed = buffer ? add_all(&digest, err) : error_set(err, ENOMEM, "--digest");

	if (digest.count)
		qsort(digest.lines, digest.count, sizeof(*digest.lines), compare_names);
	hash_start(&hash);
	for (size_t i = 0; i < digest.count; i++) {
		hash_add(&hash, digest.lines[i], strlen(digest.lines[i]));
		hash_add(&hash, "\n", 1);
		free(digest.lines[i]);
	}
	free(digest.lines);
	hash_finish(&hash, text);
	return failed;
}

void digest_of_run(
	int status, const struct relay_result *output, const char *files, char text[HASH_TEXT])
{
	char all[512];
	struct hash hash;
	int n = snprintf(all, sizeof(all),
		VERSION "\nstatus %d\noutput sha256:%s\nerrors sha256:%s\nfiles sha256:%s\n",
		status, output->hash[0], output->hash[1], files);

	hash_start(&hash);
	hash_add(&hash, all, (size_t)n);
	hash_finish(&hash, text);
}
