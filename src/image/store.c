#include "image/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "image/sweep.h"

#define DIRECTORY (O_RDONLY | O_DIRECTORY | O_CLOEXEC)

/* Images are run: nobody else may be able to put any there. */
static int check_private(const struct image_store *store, struct error *err)
{
	struct stat status;

	if (fstat(store->dir, &status))
		return error_set(err, errno, "cache of images %s", store->path);
	if (status.st_uid != geteuid())
		return error_set(err, 0,
			"cache of images %s: belongs to another user (%u); set XDG_CACHE_HOME to a "
			"directory of your own",
			store->path, status.st_uid);
	if ((status.st_mode & 07777) != STORE_DIR_MODE && fchmod(store->dir, STORE_DIR_MODE))
		return error_set(err, errno, "cache of images %s", store->path);
	return 0;
}

static int make_parts(const struct image_store *store, struct error *err)
{
	static const char *const parts[] = { "sources", "refs", "claims" };

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (mkdirat(store->dir, parts[i], STORE_DIR_MODE) && errno != EEXIST)
			return error_set(err, errno,
				"cache of images %s (see XDG_CACHE_HOME): cannot make %s",
				store->path, parts[i]);
	return 0;
}

int image_store_open(struct image_store *store, const char *path, struct error *err)
{
	*store = (struct image_store){ .dir = -1 };
	if (!path)
		return error_set(err, 0,
			"there is no place to unpack images to: set XDG_CACHE_HOME to a directory "
			"that can be written to");
	store->path = realpath(path, NULL);
	if (store->path)
		store->dir = open(store->path, DIRECTORY);
	if (store->dir < 0)
		error_set(err, errno, "cache of images %s (see XDG_CACHE_HOME)", path);
	else if (check_private(store, err) == 0 && make_parts(store, err) == 0 &&
		 image_store_sweep(store, err) == 0)
		return 0;
	image_store_close(store);
	return -1;
}

void image_store_close(struct image_store *store)
{
	if (store->dir >= 0)
		close(store->dir);
	free(store->path);
	*store = (struct image_store){ .dir = -1 };
}

bool image_store_has(int dir, const char *name, int fd)
{
	struct stat there, here;

	return fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && fstat(fd, &here) == 0 &&
	       there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

/* Signals interrupt the wait, for who is to stop. */
static int lock_wait(int fd)
{
	while (flock(fd, LOCK_EX))
		if (errno != EINTR || stop_wanted())
			return -1;
	return 0;
}

static int open_lock(const struct image_store *store)
{
	return openat(store->dir, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int image_store_try_lock(const struct image_store *store)
{
	int fd = open_lock(store);

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		return fd;
	close(fd);
	return -1;
}

int image_store_lock(const struct image_store *store, struct error *err)
{
	int fd = open_lock(store);

	if (fd >= 0 && lock_wait(fd) == 0)
		return fd;
	error_set(
		err, errno, "cache of images %s (see XDG_CACHE_HOME): cannot lock it", store->path);
	if (fd >= 0)
		close(fd);
	return -1;
}

static void claim_name(char name[HASH_TEXT + 8], const char *key)
{
	snprintf(name, HASH_TEXT + 8, "claims/%s", key);
}

int image_store_claim(const struct image_store *store, const char *key, struct error *err)
{
	char name[HASH_TEXT + 8];

	claim_name(name, key);
	for (;;) {
		int fd = openat(store->dir, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

		if (fd < 0 || lock_wait(fd)) {
			error_set(err, errno,
				"cache of images %s (see XDG_CACHE_HOME): cannot lock an entry",
				store->path);
			if (fd >= 0)
				close(fd);
			return -1;
		}
		/* Who had it before has removed it by now. */
		if (image_store_has(store->dir, name, fd))
			return fd;
		close(fd);
	}
}

void image_store_unclaim(const struct image_store *store, const char *key, int claim)
{
	char name[HASH_TEXT + 8];

	claim_name(name, key);
	unlinkat(store->dir, name, 0);
	close(claim);
}
