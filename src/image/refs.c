#include "image/refs.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/sources.h"
#include "image/sweep.h"

#define DIGEST_PREFIX "sha256:"
#define DIGEST_LEAST  6 /* digits; fewer are likely to mean several */
#define REF_PATH      (sizeof("refs/") + REF_NAME)

static bool is_digest(const char *name)
{
	return strncmp(name, DIGEST_PREFIX, strlen(DIGEST_PREFIX)) == 0;
}

static bool is_name(const char *name)
{
	size_t length = strlen(name);

	if (length >= REF_NAME || !isalnum((unsigned char)*name) || is_digest(name))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("._:-", name[i]))
			return false;
	return true;
}

int image_ref_check(const char *name, struct error *err)
{
	if (is_name(name))
		return 0;
	return error_set(err, 0,
		"%s: not a name for an image: 1 to %d letters, digits and ._:-, with a letter or "
		"digit first",
		name, REF_NAME - 1);
}

static void ref_path(char path[REF_PATH], const char *name)
{
	snprintf(path, REF_PATH, "refs/%s", name);
}

int image_ref_set(
	const struct image_store *store, const char *name, const char *entry, struct error *err)
{
	/* A sweep removes temporary files that are nobody's: the lock makes this one ours. */
	cleanup_close int guard = -1;
	cleanup_close int fd = -1;
	char path[REF_PATH], temporary[DRAFT_NAME];

	if (image_ref_check(name, err))
		return -1;
	guard = image_store_lock(store, err);
	if (guard < 0)
		return -1;
	ref_path(path, name);
	sweep_name(temporary);
	fd = openat(store->dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0 && dprintf(fd, "%s\n", entry) == HASH_TEXT &&
		renameat(store->dir, temporary, store->dir, path) == 0)
		return 0;
	error_set(err, errno, "cannot give the image its name %s", name);
	unlinkat(store->dir, temporary, 0);
	return -1;
}

bool image_ref_remove(const struct image_store *store, const char *name)
{
	char path[REF_PATH];

	ref_path(path, name);
	return is_name(name) && unlinkat(store->dir, path, 0) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct image_ref *)a)->name, ((const struct image_ref *)b)->name);
}

static int add_ref(struct image_refs *refs, int dir, const char *name)
{
	struct image_ref *list;

	if (!is_name(name))
		return 0;
	list = reallocarray(refs->list, refs->count + 1, sizeof(*list));
	if (!list)
		return -1;
	refs->list = list;
	memcpy(list[refs->count].name, name, strlen(name) + 1);
	if (image_store_read_name(dir, name, list[refs->count].entry))
		refs->count++;
	return 0;
}

int image_refs_read(const struct image_store *store, struct image_refs *refs, struct error *err)
{
	int fd = openat(store->dir, "refs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_dir DIR *names = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	*refs = (struct image_refs){ 0 };
	if (!names) {
		error_set(err, errno, "cache of images %s: cannot read the names", store->path);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((entry = readdir(names)))
		if (add_ref(refs, fd, entry->d_name))
			return error_set(err, ENOMEM, "names of images");
	if (refs->count)
		qsort(refs->list, refs->count, sizeof(*refs->list), by_name);
	return 0;
}

static bool starts_with(const char *digest, const char *digits, size_t length)
{
	return strncasecmp(digest, digits, length) == 0;
}

static int choose(const struct image_listing *listing, const char *name, char entry[HASH_TEXT],
	struct error *err)
{
	const char *digits = name + strlen(DIGEST_PREFIX);
	size_t length = strlen(digits);
	int found = 0;

	for (size_t i = 0; i < listing->count; i++) {
		const struct image_info *info = &listing->list[i].info;

		if (!starts_with(info->entry, digits, length) &&
			!starts_with(info->digest, digits, length))
			continue;
		if (found++)
			return error_set(err, 0,
				"%s: more than one image in the cache has this digest; see 'stet "
				"image list'",
				name);
		memcpy(entry, info->entry, HASH_TEXT);
	}
	return found;
}

static int find_digest(
	const struct image_store *store, const char *name, char entry[HASH_TEXT], struct error *err)
{
	const char *digits = name + strlen(DIGEST_PREFIX);
	struct image_listing listing;
	int found;

	if (strlen(digits) < DIGEST_LEAST || strlen(digits) >= HASH_TEXT ||
		strspn(digits, "0123456789abcdefABCDEF") != strlen(digits))
		return error_set(err, 0, "%s: must be sha256: and %d to %d hexadecimal digits",
			name, DIGEST_LEAST, HASH_TEXT - 1);
	if (image_store_list(store, &listing, err))
		return -1;
	found = choose(&listing, name, entry, err);
	image_listing_release(&listing);
	return found;
}

int image_ref_find(
	const struct image_store *store, const char *name, char entry[HASH_TEXT], struct error *err)
{
	char path[REF_PATH];

	if (is_digest(name))
		return find_digest(store, name, entry, err);
	ref_path(path, name);
	return is_name(name) && image_store_read_name(store->dir, path, entry);
}
