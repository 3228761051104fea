#include "image/sources.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

#define SETTLED	    2 /* seconds; no file system keeps times more coarsely */
#define SOURCE_PATH (sizeof("sources/") + HASH_TEXT)

static bool is_older(const struct timespec *time, const struct timespec *now)
{
	return now->tv_sec - time->tv_sec > SETTLED;
}

int image_source_look(struct image_source *source, int file, const char *tag)
{
	const struct stat *status = &source->status;
	struct timespec now;
	struct hash hash;
	char text[256];

	clock_gettime(CLOCK_REALTIME, &now);
	if (fstat(file, &source->status))
		return -1;
	source->settled = is_older(&status->st_mtim, &now) && is_older(&status->st_ctim, &now);
	snprintf(text, sizeof(text),
		"%llu %llu %lld %lld.%09ld %lld.%09ld:", (unsigned long long)status->st_dev,
		(unsigned long long)status->st_ino, (long long)status->st_size,
		(long long)status->st_mtim.tv_sec, status->st_mtim.tv_nsec,
		(long long)status->st_ctim.tv_sec, status->st_ctim.tv_nsec);
	hash_start(&hash);
	hash_add(&hash, text, strlen(text));
	if (tag)
		hash_add(&hash, tag, strlen(tag));
	hash_finish(&hash, source->key);
	return 0;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

bool image_source_same(const struct image_source *source, int file)
{
	const struct stat *before = &source->status;
	struct stat now;

	return fstat(file, &now) == 0 && now.st_size == before->st_size &&
	       same_time(&now.st_mtim, &before->st_mtim);
}

bool image_store_read_name(int dir, const char *name, char entry[HASH_TEXT])
{
	cleanup_close int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char text[HASH_TEXT + 1];

	if (fd < 0 || read(fd, text, sizeof(text)) != HASH_TEXT || text[HASH_TEXT - 1] != '\n')
		return false;
	text[HASH_TEXT - 1] = '\0';
	memcpy(entry, text, HASH_TEXT);
	return strspn(entry, "0123456789abcdef") == HASH_TEXT - 1;
}

bool image_source_find(
	const struct image_store *store, const struct image_source *source, char entry[HASH_TEXT])
{
	char path[SOURCE_PATH];

	snprintf(path, sizeof(path), "sources/%s", source->key);
	return image_store_read_name(store->dir, path, entry);
}

void image_source_remember(
	const struct image_store *store, const struct image_source *source, const char *entry)
{
	cleanup_close int fd = -1;
	char path[SOURCE_PATH];

	if (!source->settled)
		return;
	snprintf(path, sizeof(path), "sources/%s", source->key);
	fd = openat(store->dir, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd >= 0 && dprintf(fd, "%s\n", entry) != HASH_TEXT)
		unlinkat(store->dir, path, 0);
}
