#include "image/tree_digest.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file_text.h"
#include "image/tree_walk.h"

#define VERSION "stet tree 1\n"
#define WORKERS 2

struct work {
	struct tree tree;
	const struct owners *owners;
	bool rootly;  /* all files are root's */
	char **lines; /* of the objects, in their order */
	atomic_size_t next;
	atomic_bool failed;
	struct error *err; /* of the first to fail */
};

static int fail(struct work *work, const struct tree_object *object, int cause)
{
	if (!atomic_exchange(&work->failed, true))
		error_set(work->err, cause, "cannot read %s of the image", object->path);
	return -1;
}

/* A file of mode 0 too, if it is the cache's own; see tree_digest.h. */
static int open_object(const struct work *work, const struct tree_object *object)
{
	const int root = work->tree.root, flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC;
	const mode_t mode = object->status.st_mode & 07777;
	int fd = openat(root, tree_name(object), flags);

	if (fd >= 0 || errno != EACCES || !work->owners ||
		fchmodat(root, tree_name(object), S_IRUSR, 0))
		return fd;
	fd = openat(root, tree_name(object), flags);
	fchmodat(root, tree_name(object), mode, 0);
	return fd;
}

static int put_opened(FILE *out, const struct work *work, const struct tree_object *object)
{
	cleanup_close int fd = open_object(work, object);

	if (fd < 0 || (S_ISREG(object->status.st_mode) && file_text_content(out, fd)))
		return -1;
	return file_text_attributes(out, fd);
}

static int put_target(FILE *out, const struct work *work, const struct tree_object *object)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(work->tree.root, tree_name(object), target, sizeof(target) - 1);

	if (n < 0)
		return -1;
	target[n] = 0;
	fputc(' ', out);
	file_text_name(out, target);
	return 0;
}

static int put_nothing(FILE *out, const struct work *work, const struct tree_object *object)
{
	return 0;
}

static const struct {
	mode_t type;
	char letter;
	int (*put)(FILE *out, const struct work *work, const struct tree_object *object);
} kinds[] = {
	{ S_IFREG, 'f', put_opened },
	{ S_IFDIR, 'd', put_opened },
	{ S_IFLNK, 'l', put_target },
	{ S_IFIFO, 'p', put_nothing },
};

static void put_owner(FILE *out, const struct work *work, const struct tree_object *object)
{
	uid_t uid = object->status.st_uid;
	gid_t gid = object->status.st_gid;

	if (work->rootly) {
		uid = 0;
		gid = 0;
	} else if (work->owners) {
		const struct owner *owner = owners_find(work->owners, object->path);

		uid = owner ? owner->uid : 0;
		gid = owner ? owner->gid : 0;
	} else {
		uid = uid == geteuid() ? 0 : uid;
		gid = gid == getegid() ? 0 : gid;
	}
	fprintf(out, "%u:%u", uid, gid);
}

static int put_object(FILE *out, const struct work *work, const struct tree_object *object)
{
	size_t kind = 0;

	while (kinds[kind].type != (object->status.st_mode & S_IFMT))
		kind++;
	fprintf(out, "%c %04o ", kinds[kind].letter, object->status.st_mode & 07777);
	put_owner(out, work, object);
	return kinds[kind].put(out, work, object);
}

static int make_line(struct work *work, size_t i)
{
	const struct tree_object *object = &work->tree.list[i];
	size_t size;
	FILE *out = open_memstream(&work->lines[i], &size);
	int cause = 0;

	if (!out)
		return fail(work, object, errno);
	file_text_name(out, object->path);
	fputc(' ', out);
	if (object->first != i) {
		fputs("h ", out);
		file_text_name(out, work->tree.list[object->first].path);
	} else if (put_object(out, work, object)) {
		cause = errno;
	}
	fputc('\n', out);
	if (fclose(out) && !cause)
		cause = ENOMEM;
	return cause ? fail(work, object, cause) : 0;
}

static void *make_lines(void *context)
{
	struct work *work = context;
	size_t i;

	while (!work->failed && (i = atomic_fetch_add(&work->next, 1)) < work->tree.count)
		make_line(work, i);
	return NULL;
}

/* The calling thread is one of the workers; so it goes on, if more slowly, where no other can be. */
static void work_all(struct work *work)
{
	pthread_t others[WORKERS - 1];
	int started = 0;

	while (started < WORKERS - 1 &&
		pthread_create(&others[started], NULL, make_lines, work) == 0)
		started++;
	make_lines(work);
	while (started > 0)
		pthread_join(others[--started], NULL);
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void hash_lines(struct work *work, char text[HASH_TEXT])
{
	struct hash hash;

	if (work->tree.count)
		qsort(work->lines, work->tree.count, sizeof(*work->lines), compare_lines);
	hash_start(&hash);
	hash_add(&hash, VERSION, strlen(VERSION));
	for (size_t i = 0; i < work->tree.count; i++)
		hash_add(&hash, work->lines[i], strlen(work->lines[i]));
	hash_finish(&hash, text);
}

static int make(struct work *work, int root, const struct tree_skip *skip, char text[HASH_TEXT],
	struct error *err)
{
	if (tree_walk(&work->tree, root, work->owners != NULL, skip, err))
		return -1;
	work->lines = calloc(work->tree.count + 1, sizeof(*work->lines));
	if (!work->lines)
		return error_set(err, ENOMEM, "digest of an image");
	work_all(work);
	if (work->failed)
		return -1;
	hash_lines(work, text);
	return 0;
}

static int digest(struct work *work, int root, const struct tree_skip *skip, char text[HASH_TEXT],
	struct error *err)
{
	int failed = make(work, root, skip, text, err);

	for (size_t i = 0; work->lines && i < work->tree.count; i++)
		free(work->lines[i]);
	free(work->lines);
	tree_release(&work->tree);
	return failed;
}

int tree_digest(int root, const struct owners *owners, char text[HASH_TEXT], struct error *err)
{
	struct work work = { .owners = owners, .err = err };

	return digest(&work, root, NULL, text, err);
}

int tree_digest_input(
	int root, const struct tree_skip *skip, char text[HASH_TEXT], struct error *err)
{
	struct work work = { .rootly = true, .err = err };

	return digest(&work, root, skip, text, err);
}
