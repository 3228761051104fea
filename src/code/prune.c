#include "code/prune.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "code/store.h"

#define LEFTOVER_AGE 3600 /* seconds; no run takes that long to write one file */

struct file {
	time_t used;
	uint64_t bytes;
	char name[256];
};

struct listing {
	struct file *files;
	size_t count, room;
	uint64_t bytes;
};

static bool list_add(struct listing *list, const char *name, const struct stat *st)
{
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 256;
		struct file *files = realloc(list->files, room * sizeof(*files));

		if (!files)
			return false;
		list->files = files;
		list->room = room;
	}
	struct file *file = &list->files[list->count++];

	file->used = st->st_mtime;
	file->bytes = (uint64_t)st->st_blocks * 512;
	snprintf(file->name, sizeof(file->name), "%s", name);
	list->bytes += file->bytes;
	return true;
}

static int by_use(const void *a, const void *b)
{
	const struct file *left = a, *right = b;

	return left->used < right->used ? -1 : left->used > right->used;
}

static bool is_leftover(const char *name, const struct stat *st)
{
	return !strncmp(name, PRUNE_TEMPORARY, strlen(PRUNE_TEMPORARY)) &&
	       time(NULL) - st->st_mtime > LEFTOVER_AGE;
}

/* Lists a directory's files and links, oldest use first. */
static struct listing list_directory(int directory)
{
	int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_dir DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct listing list = { 0 };
	struct dirent *entry;
	struct stat st;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return list;
	}
	while ((entry = readdir(dir))) {
		if (fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
			S_ISDIR(st.st_mode))
			continue;
		if (is_leftover(entry->d_name, &st))
			unlinkat(directory, entry->d_name, 0);
		else if (!list_add(&list, entry->d_name, &st))
			break;
	}
	if (list.count)
		qsort(list.files, list.count, sizeof(*list.files), by_use);
	return list;
}

void prune(int directory, int identities)
{
	struct listing files = list_directory(directory);
	struct listing links = list_directory(identities);

	for (size_t i = 0; i < files.count && files.bytes > STORE_BYTES; i++) {
		unlinkat(directory, files.files[i].name, 0);
		files.bytes -= files.files[i].bytes;
	}
	for (size_t i = 0; i + STORE_IDENTITY_MAX < links.count; i++)
		unlinkat(identities, links.files[i].name, 0);
	free(files.files);
	free(links.files);
}
