#include "box/save_tar.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#include "base/attributes.h"
#include "base/cleanup.h"
#include "box/links.h"
#include "box/save_list.h"
#include "image/tar.h"

#define CHUNK (1 << 18)

struct save {
	struct tar *tar;
	struct links links;
	char *buffer; /* CHUNK */
};

static int fail(struct error *err, const char *what, const char *path)
{
	return error_set(err, errno, "cannot save: %s %s", what, path);
}

static int put_content(struct save *save, const struct save_item *item, int fd, struct error *err)
{
	ssize_t n;

	while ((n = read(fd, save->buffer, CHUNK)) > 0)
		if (tar_data(save->tar, save->buffer, (size_t)n, err))
			return -1;
	return n < 0 ? fail(err, "read", item->path) : 0;
}

/* Regular files and directories. */
static int put_opened(
	struct save *save, const struct save_item *item, struct tar_entry *entry, struct error *err)
{
	cleanup_close int fd = open(item->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct attributes attributes;
	int failed;

	if (fd < 0)
		return fail(err, "open", item->path);
	failed = attributes_read(fd, &attributes);
	entry->attributes = attributes.list;
	entry->attribute_count = attributes.count;
	failed = failed ? fail(err, "read the attributes of", item->path)
			: tar_add(save->tar, entry, err);
	attributes_release(&attributes);
	return failed || entry->type == TAR_DIRECTORY ? failed : put_content(save, item, fd, err);
}

static int put_link(
	struct save *save, const struct save_item *item, struct tar_entry *entry, struct error *err)
{
	char target[PATH_MAX + 1];
	ssize_t n = readlink(item->path, target, PATH_MAX);

	if (n < 0)
		return fail(err, "read", item->path);
	target[n] = '\0';
	entry->target = target;
	n = tar_add(save->tar, entry, err);
	entry->target = NULL;
	return (int)n;
}

static int put_hard_link(
	struct save *save, struct tar_entry *entry, const char *first, struct error *err)
{
	entry->type = TAR_HARD_LINK;
	entry->target = first + 1;
	entry->size = 0;
	return tar_add(save->tar, entry, err);
}

static int put_item(struct save *save, const struct save_item *item, struct error *err)
{
	const struct stat *status = &item->status;
	const char *first = links_find(&save->links, status);
	struct tar_entry entry = {
		.type = TAR_FILE,
		.path = item->path + 1,
		.mode = status->st_mode,
		.uid = status->st_uid,
		.gid = status->st_gid,
		.mtime = status->st_mtim.tv_sec,
	};

	if (item->marker)
		return tar_add(save->tar, &entry, err);
	if (S_ISDIR(status->st_mode)) {
		entry.type = TAR_DIRECTORY;
		return put_opened(save, item, &entry, err);
	}
	if (first)
		return put_hard_link(save, &entry, first, err);
	if (links_add(&save->links, status, item->path))
		return fail(err, "list", item->path);
	if (S_ISLNK(status->st_mode)) {
		entry.type = TAR_SYMBOLIC_LINK;
		return put_link(save, item, &entry, err);
	}
	if (S_ISFIFO(status->st_mode)) {
		entry.type = TAR_FIFO;
		return tar_add(save->tar, &entry, err);
	}
	entry.size = (uint64_t)status->st_size;
	return put_opened(save, item, &entry, err);
}

static int put_items(struct save *save, const struct changes *changes, struct error *err)
{
	struct save_list list;
	int failed = save_list_make(&list, changes, err);

	for (size_t i = 0; i < list.count && !failed; i++)
		failed = put_item(save, &list.items[i], err);
	save_list_release(&list);
	return failed;
}

int save_tar_write(const struct changes *changes, const char *name, int fd, struct error *err)
{
	cleanup_free char *buffer = malloc(CHUNK);
	struct save save = { .buffer = buffer };
	int failed;

	if (!buffer)
		return error_set(err, ENOMEM, "cannot save");
	save.tar = tar_open(name, fd, err);
	failed = !save.tar || put_items(&save, changes, err) || tar_finish(save.tar, err);
	links_release(&save.links);
	tar_release(save.tar);
	return failed ? -1 : 0;
}
