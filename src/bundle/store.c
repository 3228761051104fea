#include "bundle/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/remove.h"

#define DRAFT	  "tmp."  /* and the entry's name */
#define LOCK	  ".lock" /* behind it */
#define BOOT	  "boot"  /* the kernel's life in which an entry was made */
#define BOOT_ROOM 64
#define KEPT_S	  (30 * 24 * 3600)
#define NAME_ROOM (HASH_TEXT + 16)

struct store {
	int dir;
	const char *path;
	struct error *err;
};

static int fail(const struct store *store)
{
	return error_set(
		store->err, errno, "cache of bundles %s (see XDG_CACHE_HOME)", store->path);
}

static void read_boot(int dir, const char *path, char boot[BOOT_ROOM])
{
	cleanup_close int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, boot, BOOT_ROOM - 1);

	boot[n < 0 ? 0 : n] = '\0';
}

static void this_boot(char boot[BOOT_ROOM])
{
	read_boot(AT_FDCWD, "/proc/sys/kernel/random/boot_id", boot);
}

static int write_boot(int dir)
{
	cleanup_close int fd = openat(dir, BOOT, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	char boot[BOOT_ROOM];

	this_boot(boot);
	return fd < 0 || write(fd, boot, strlen(boot)) != (ssize_t)strlen(boot) ? -1 : 0;
}

/* Is it there, and made while this kernel ran? */
static bool is_trusted(const struct store *store, const char *entry)
{
	char path[NAME_ROOM], then[BOOT_ROOM], now[BOOT_ROOM];

	snprintf(path, sizeof(path), "%s/" BOOT, entry);
	read_boot(store->dir, path, then);
	this_boot(now);
	return then[0] && strcmp(then, now) == 0;
}

/* The lock stays when its entry goes, so that nobody waits for one that has no name any more. */
static int open_lock(const struct store *store, const char *entry)
{
	char name[NAME_ROOM];

	snprintf(name, sizeof(name), "%s" LOCK, entry);
	return openat(store->dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* Nobody uses it, and it is old or was never completed. */
static void sweep_one(const struct store *store, const char *entry)
{
	cleanup_close int lock = open_lock(store, entry);
	char draft[NAME_ROOM];
	struct stat status;

	if (lock < 0 || flock(lock, LOCK_EX | LOCK_NB))
		return;
	snprintf(draft, sizeof(draft), DRAFT "%s", entry);
	remove_tree(store->dir, draft);
	if (fstat(lock, &status) == 0 && status.st_mtime < time(NULL) - KEPT_S)
		remove_tree(store->dir, entry);
}

static void sweep(const struct store *store)
{
	int fd = openat(store->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_dir DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *item;

	while (dir && (item = readdir(dir))) {
		size_t length = strlen(item->d_name);
		char entry[HASH_TEXT];

		if (length != HASH_TEXT - 1 + strlen(LOCK))
			continue;
		snprintf(entry, sizeof(entry), "%.*s", HASH_TEXT - 1, item->d_name);
		sweep_one(store, entry);
	}
}

/* In a draft, which gets the entry's name in the end. The lock is held. */
static int make(const struct store *store, struct bundle *bundle, const char *entry,
	const struct bundle_how *how)
{
	cleanup_close int dir = -1;
	char draft[NAME_ROOM];

	snprintf(draft, sizeof(draft), DRAFT "%s", entry);
	remove_tree(store->dir, draft);
	remove_tree(store->dir, entry);
	if (mkdirat(store->dir, draft, 0700) ||
		(dir = openat(store->dir, draft, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
		return fail(store);
	if (bundle_unpack(bundle, dir, how, store->err)) {
		remove_tree(store->dir, draft);
		return -1;
	}
	if (write_boot(dir) || renameat(store->dir, draft, store->dir, entry)) {
		fail(store);
		remove_tree(store->dir, draft);
		return -1;
	}
	return 0;
}

static int use(const struct store *store, struct bundle_entry *entry, struct bundle *bundle,
	const char *name, const struct bundle_how *how)
{
	entry->lock = open_lock(store, name);
	if (entry->lock < 0 || flock(entry->lock, LOCK_EX))
		return fail(store);
	if (!is_trusted(store, name) && make(store, bundle, name, how))
		return -1;
	futimens(entry->lock, NULL);
	return flock(entry->lock, LOCK_SH) ? fail(store) : 0;
}

int bundle_entry_open(struct bundle_entry *entry, struct bundle *bundle, const char *cache,
	const struct bundle_how *how, struct error *err)
{
	cleanup_close int dir = -1;
	struct store store = { .path = cache, .err = err };
	char name[HASH_TEXT];

	*entry = (struct bundle_entry){ .lock = -1 };
	dir = store.dir = open(cache, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0 || fchmod(dir, 0700))
		return fail(&store);
	if (bundle_hash(bundle, name, err))
		return -1;
	if (!is_trusted(&store, name))
		sweep(&store);
	if (asprintf(&entry->path, "%s/%s", cache, name) < 0)
		return error_set(err, ENOMEM, "%s", cache);
	return use(&store, entry, bundle, name, how);
}

void bundle_entry_close(struct bundle_entry *entry)
{
	if (entry->lock >= 0)
		close(entry->lock);
	free(entry->path);
	*entry = (struct bundle_entry){ .lock = -1 };
}
