/* The list of what the cache has. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/store.h"

static bool is_entry(const char *name)
{
	return strlen(name) == HASH_TEXT - 1 && strspn(name, "0123456789abcdef") == HASH_TEXT - 1;
}

static int read_entry(int dir, const char *name, struct image_entry *entry)
{
	cleanup_close int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int lock =
		fd < 0 ? -1 : openat(fd, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	struct stat status;
	struct error ignored;

	*entry = (struct image_entry){ 0 };
	if (lock < 0 || fstat(lock, &status) || image_info_read(fd, &entry->info, &ignored))
		return -1;
	entry->used = status.st_mtim.tv_sec;
	return 0;
}

static int newest_first(const void *a, const void *b)
{
	const struct image_entry *left = a, *right = b;

	if (left->info.created != right->info.created)
		return left->info.created > right->info.created ? -1 : 1;
	return strcmp(left->info.entry, right->info.entry);
}

static int add(struct image_listing *listing, int dir, const char *name)
{
	struct image_entry *list =
		reallocarray(listing->list, listing->count + 1, sizeof(*listing->list));

	if (!list)
		return -1;
	listing->list = list;
	if (read_entry(dir, name, &list[listing->count]) == 0)
		listing->count++;
	return 0;
}

int image_store_list(
	const struct image_store *store, struct image_listing *listing, struct error *err)
{
	int fd = openat(store->dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_dir DIR *names = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	*listing = (struct image_listing){ 0 };
	if (!names) {
		error_set(err, errno, "cache of images %s", store->path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((entry = readdir(names)))
		if (is_entry(entry->d_name) && add(listing, store->dir, entry->d_name)) {
			image_listing_release(listing);
			return error_set(err, ENOMEM, "list of images");
		}
	if (listing->count)
		qsort(listing->list, listing->count, sizeof(*listing->list), newest_first);
	return 0;
}

void image_listing_release(struct image_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++)
		image_info_release(&listing->list[i].info);
	free(listing->list);
	*listing = (struct image_listing){ 0 };
}
