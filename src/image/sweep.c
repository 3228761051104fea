#include "image/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "image/remove.h"
#include "image/sources.h"

#define TEMPORARY "tmp."

void sweep_name(char name[DRAFT_NAME])
{
	uint64_t random = 0;

	/* Early at boot it is none; then the process's number must do. */
	if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
		random = 0;
	snprintf(name, DRAFT_NAME, TEMPORARY "%ld-%016llx", (long)getpid(),
		(unsigned long long)random);
}

static DIR *open_list(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (!list && fd >= 0)
		close(fd);
	return list;
}

/* The next temporary name in the list, or NULL. Longer ones than ours are not ours. */
static const char *next_temporary(DIR *list)
{
	struct dirent *entry;

	while ((entry = readdir(list)))
		if (strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) == 0 &&
			strlen(entry->d_name) < DRAFT_NAME)
			return entry->d_name;
	return NULL;
}

/* A lock on what nobody else has one on, or -1. Files are removed at once. */
static int take_over(int dir, const char *name)
{
	cleanup_close int entry =
		openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int lock;

	if (entry < 0) {
		if (errno == ENOTDIR || errno == ELOOP)
			unlinkat(dir, name, 0);
		return -1;
	}
	/* Its maker may have died before it made that file. */
	lock = openat(entry, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB)) {
		close(lock);
		lock = -1;
	}
	return lock;
}

/* Finds one that is nobody's, and takes it. Makers of new ones wait for that; but a start does not
 * wait for others that are at it. */
static int find_leftover(const struct image_store *store, DIR *list, char name[DRAFT_NAME])
{
	cleanup_close int guard = image_store_try_lock(store);
	const char *found;

	while (guard >= 0 && (found = next_temporary(list))) {
		int lock = take_over(store->dir, found);

		if (lock < 0)
			continue;
		memcpy(name, found, strlen(found) + 1);
		return lock;
	}
	return -1;
}

int image_store_sweep(const struct image_store *store, struct error *err)
{
	cleanup_dir DIR *list = open_list(store->dir, ".");
	char name[DRAFT_NAME];
	int lock;

	if (!list)
		return error_set(err, errno, "cache of images %s", store->path);
	if (!next_temporary(list))
		return 0;
	rewinddir(list);
	while ((lock = find_leftover(store, list, name)) >= 0) {
		remove_tree(store->dir, name);
		close(lock);
	}
	return 0;
}

static void drop_unknown(const struct image_store *store, int dir, const char *name)
{
	char entry[HASH_TEXT];

	if (!image_store_read_name(dir, name, entry) || faccessat(store->dir, entry, F_OK, 0))
		unlinkat(dir, name, 0);
}

static void drop_unclaimed(const struct image_store *store, int dir, const char *name)
{
	cleanup_close int fd = openat(dir, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && image_store_has(dir, name, fd))
		unlinkat(dir, name, 0);
}

static void drop_damaged(const struct image_store *store, int dir, const char *name)
{
	cleanup_close int entry = -1;
	struct image_info info;
	struct error ignored;

	if (strlen(name) != HASH_TEXT - 1)
		return;
	entry = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (entry >= 0 && image_info_read(entry, &info, &ignored))
		image_entry_remove(store, name);
	else if (entry >= 0)
		image_info_release(&info);
}

static void for_each(const struct image_store *store, const char *part,
	void (*look)(const struct image_store *store, int dir, const char *name))
{
	cleanup_dir DIR *list = open_list(store->dir, part);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (entry->d_name[0] != '.')
			look(store, dirfd(list), entry->d_name);
}

void image_store_tidy(const struct image_store *store)
{
	for_each(store, ".", drop_damaged);
	for_each(store, "sources", drop_unknown);
	for_each(store, "claims", drop_unclaimed);
}
