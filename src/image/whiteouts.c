#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "image/unpack_job.h"

#define PREFIX	     ".wh."
#define OPAQUE	     ".wh..wh..opq"
#define PREFIX_OTHER ".wh..wh." /* what aufs has for itself */

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Something that aufs has for itself, or something in it. */
static bool is_of_aufs(const char *path)
{
	const char *slash;

	for (; (slash = strchr(path, '/')); path = slash + 1)
		if (starts_with(path, PREFIX_OTHER))
			return true;
	return starts_with(path, PREFIX_OTHER) && strcmp(path, OPAQUE) != 0;
}

bool whiteout_is(const struct unpack_entry *entry)
{
	return entry->job->unpack->layer &&
	       (starts_with(last_part(entry->path), PREFIX) || is_of_aufs(entry->path));
}

int whiteout_own(struct unpack_job *job, const char *path)
{
	char above[PATH_MAX];

	if (!job->unpack->layer)
		return 0;
	memcpy(above, path, strlen(path) + 1);
	while (above[0] && !names_find(&job->own, above)) {
		char *slash = strrchr(above, '/');

		if (!names_add(&job->own, above, 0))
			return -1;
		*(slash ? slash : above) = 0;
	}
	return 0;
}

static int delete_lower(struct unpack_entry *entry, struct error *err);

static int delete_child(struct unpack_entry *entry, const char *name, struct error *err)
{
	size_t length = strlen(entry->path);
	int failed;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return 0;
	if (length + 1 + strlen(name) >= PATH_MAX)
		return unpack_entry_fail(entry, ENAMETOOLONG, "cannot be applied", err);
	sprintf(entry->path + length, "%s%s", length ? "/" : "", name);
	failed = delete_lower(entry, err);
	entry->path[length] = 0;
	return failed;
}

/* Deletes what lower layers have in the directory of this path. */
static int delete_below(struct unpack_entry *entry, struct error *err)
{
	struct dirent **names;
	int count, failed = 0, dir = folders_open(&entry->job->folders, entry->path, false);

	count = dir < 0 ? -1 : scandirat(dir, ".", &names, NULL, NULL);
	if (count < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (count < 0)
		return unpack_entry_fail(entry, errno, "cannot be applied", err);
	for (int i = 0; i < count; i++) {
		if (!failed)
			failed = delete_child(entry, names[i]->d_name, err);
		free(names[i]);
	}
	free(names);
	return failed;
}

/* Deletes what lower layers have at the path of this entry: all, or what is not the layer's own. */
static int delete_lower(struct unpack_entry *entry, struct error *err)
{
	struct stat status;

	if (names_find(&entry->job->own, entry->path))
		return delete_below(entry, err);
	err->text[0] = 0;
	if (unpack_entry_open_parent(entry, false, err))
		return err->text[0] ? -1 : 0;
	if (fstatat(entry->dir, entry->base, &status, AT_SYMLINK_NOFOLLOW))
		return 0;
	return unpack_entry_clear(entry, err);
}

int whiteout_do(struct unpack_entry *entry, struct error *err)
{
	char *last = (char *)last_part(entry->path);

	if (is_of_aufs(entry->path))
		return 0;
	if (strcmp(last, OPAQUE) == 0) {
		*(last == entry->path ? last : last - 1) = 0;
		return delete_below(entry, err);
	}
	memmove(last, last + strlen(PREFIX), strlen(last + strlen(PREFIX)) + 1);
	if (last[0] == 0 || strcmp(last, ".") == 0 || strcmp(last, "..") == 0)
		return unpack_entry_fail(entry, 0, "deletes nothing that can be named", err);
	return delete_lower(entry, err);
}
