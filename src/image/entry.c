/* Use and removal of the entries of the cache. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "image/store.h"
#include "image/sweep.h"
#include "image/tree_digest.h"
#include "image/remove.h"

#define LOCK_PATH (HASH_TEXT + sizeof("/lock"))

static int trouble(const struct image_store *store, struct error *err)
{
	return error_set(
		err, errno, "cache of images %s (see XDG_CACHE_HOME): cannot use it", store->path);
}

/* The lock of an entry that has its name still when it is gained: 1, 0: none, -1: errno. */
static int lock_entry(const struct image_store *store, const char *entry, int kind, int *lock)
{
	char path[LOCK_PATH];

	snprintf(path, sizeof(path), "%s/lock", entry);
	for (;;) {
		int fd = openat(store->dir, path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

		if (fd < 0)
			return errno == ENOENT ? 0 : -1;
		while (flock(fd, kind)) {
			if (errno == EINTR && !stop_wanted())
				continue;
			close(fd);
			return -1;
		}
		if (image_store_has(store->dir, path, fd)) {
			*lock = fd;
			return 1;
		}
		close(fd);
	}
}

/* Under another name first: one that is removed in part must not be taken for an entry. Its lock is
 * held by the caller. */
static int discard(const struct image_store *store, const char *entry)
{
	char name[DRAFT_NAME];

	sweep_name(name);
	if (renameat(store->dir, entry, store->dir, name))
		return errno == ENOENT ? 0 : -1;
	return remove_tree(store->dir, name);
}

/* Since when this kernel runs. */
static int read_boot(char boot[INFO_BOOT], struct error *err)
{
	cleanup_file FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");

	if (!file || !fgets(boot, INFO_BOOT, file))
		return error_set(err, errno, "cannot read /proc/sys/kernel/random/boot_id");
	boot[strcspn(boot, "\n")] = '\0';
	return 0;
}

int image_entry_stamp(struct image_info *info, struct error *err)
{
	return read_boot(info->boot, err);
}

int image_entry_digest(int dir, char digest[HASH_TEXT], struct error *err)
{
	cleanup_close int root = openat(dir, "root", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int list = openat(dir, "owners", O_RDONLY | O_CLOEXEC);
	struct owners owners = { 0 };
	char path[64];
	int failed;

	if (root < 0)
		return error_set(err, errno, "the cache has no files of the image");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", list);
	failed = list >= 0 && owners_read(&owners, path, err);
	if (!failed)
		failed = tree_digest(root, list < 0 ? NULL : &owners, digest, err);
	owners_release(&owners);
	return failed;
}

void image_entry_note(const char *root, const char *digest)
{
	cleanup_close int files = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int dir = openat(files, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int guard = openat(dir, "../lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	struct image_info info;
	struct error ignored;

	/* Others that use the entry may want to do the same. */
	if (guard < 0 || flock(guard, LOCK_EX) || image_info_read(dir, &info, &ignored))
		return;
	memcpy(info.digest, digest, sizeof(info.digest));
	image_info_write(dir, &info, &ignored);
	image_info_release(&info);
}

/* Nobody has looked at these files since the machine was started: did all of them get to the disk
 * before that? The lock is exclusive. */
static bool check_again(int dir, struct image_info *info, const char *boot)
{
	char digest[HASH_TEXT];
	struct error ignored;

	if (!info->digest[0] || image_entry_digest(dir, digest, &ignored) ||
		strcmp(digest, info->digest) != 0)
		return false;
	snprintf(info->boot, sizeof(info->boot), "%s", boot);
	return image_info_write(dir, info, &ignored) == 0;
}

/* 1: fine. 0: was not, and is gone. -1: errors. */
static int revise(
	const struct image_store *store, const char *entry, const char *boot, struct error *err)
{
	cleanup_close int lock = -1;
	cleanup_close int dir = -1;
	struct image_info info = { 0 };
	int found = lock_entry(store, entry, LOCK_EX, &lock);
	bool good;

	if (found <= 0)
		return found ? trouble(store, err) : 0;
	dir = openat(store->dir, entry, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Another process may have done it meanwhile. */
	good = dir >= 0 && image_info_read(dir, &info, err) == 0 &&
	       strcmp(info.entry, entry) == 0 &&
	       (strcmp(info.boot, boot) == 0 || check_again(dir, &info, boot));
	image_info_release(&info);
	if (good)
		return 1;
	if (stop_wanted())
		return error_set(err, EINTR, "cache of images");
	return discard(store, entry) ? trouble(store, err) : 0;
}

static bool is_good(int dir, const char *entry, const char *boot, struct image_info *info)
{
	struct error ignored;

	return image_info_read(dir, info, &ignored) == 0 && strcmp(info->entry, entry) == 0 &&
	       strcmp(info->boot, boot) == 0;
}

/* 1: in use. 0: there is none, or it cannot be trusted: *doubtful. */
static int try_use(const struct image_store *store, const char *entry, const char *boot,
	struct image_info *info, int *lock)
{
	cleanup_close int dir = -1;
	int found = lock_entry(store, entry, LOCK_SH, lock);

	if (found <= 0)
		return found;
	dir = openat(store->dir, entry, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir >= 0 && is_good(dir, entry, boot, info)) {
		futimens(*lock, NULL); /* the last use */
		return 1;
	}
	image_info_release(info);
	close(*lock);
	*lock = -1;
	return 0;
}

int image_entry_use(const struct image_store *store, const char *entry, struct image_info *info,
	int *lock, struct error *err)
{
	char boot[INFO_BOOT];
	int found;

	*lock = -1;
	*info = (struct image_info){ 0 };
	if (read_boot(boot, err))
		return -1;
	do {
		found = try_use(store, entry, boot, info, lock);
		if (found)
			return found > 0 ? 1 : trouble(store, err);
		found = revise(store, entry, boot, err);
	} while (found > 0);
	return found;
}

bool image_entry_in_use(const struct image_store *store, const char *entry)
{
	cleanup_close int lock = -1;

	return lock_entry(store, entry, LOCK_EX | LOCK_NB, &lock) < 0;
}

enum removal image_entry_remove(const struct image_store *store, const char *entry)
{
	cleanup_close int lock = -1;
	int found = lock_entry(store, entry, LOCK_EX | LOCK_NB, &lock);

	if (found < 0)
		return REMOVAL_IN_USE;
	/* Without a lock it is nothing that anybody could use. */
	return discard(store, entry) || !found ? REMOVAL_GONE : REMOVED;
}
