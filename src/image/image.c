#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/make.h"
#include "image/oci.h"
#include "image/refs.h"
#include "image/tree_digest.h"

#define TRIES 3 /* how often an entry may be pruned between its making and its use */

/* Finds or makes an entry; see make.h for what it answers. */
typedef int entry_maker(struct making *making, int file, struct error *err);

static void take_entry(struct image *image, struct making *making)
{
	struct image_info *info = &making->info;

	image->kind = info->kind;
	memcpy(image->entry, info->entry, sizeof(image->entry));
	memcpy(image->digest, info->digest, sizeof(image->digest));
	image->config = info->config;
	info->config = (struct image_config){ 0 };
	image->lock = making->lock;
	making->lock = -1;
}

/* Where the files of the entry are. */
static int find_files(struct image *image, const struct making *making, struct error *err)
{
	const char *cache = making->store.path;

	if (asprintf(&image->root, "%s/%s/root", cache, image->entry) < 0) {
		image->root = NULL;
		return error_set(err, ENOMEM, "%s", making->name);
	}
	if (asprintf(&image->owners, "%s/%s/owners", cache, image->entry) < 0) {
		image->owners = NULL;
		return error_set(err, ENOMEM, "%s", making->name);
	}
	if (access(image->owners, F_OK)) {
		free(image->owners);
		image->owners = NULL;
	}
	return 0;
}

static int open_entry(
	struct image *image, struct making *making, entry_maker *make, int file, struct error *err)
{
	int found = 0;

	making->lock = -1;
	if (image_store_open(&making->store, making->options->cache, err))
		return -1;
	for (int i = 0; i < TRIES && !found; i++)
		found = make(making, file, err);
	if (!found)
		error_set(err, 0, "%s: is not in the cache of images %s", making->name,
			making->store.path);
	if (found > 0) {
		take_entry(image, making);
		found = find_files(image, making, err);
	} else {
		found = -1;
	}
	if (making->lock >= 0)
		close(making->lock);
	image_info_release(&making->info);
	image_store_close(&making->store);
	return found;
}

static int open_directory(
	struct image *image, const struct making *making, int dir, struct error *err)
{
	if (making->tag)
		return error_set(err, 0, "%s: only OCI images have tags", making->name);
	if (faccessat(dir, ".", R_OK | X_OK, 0))
		return error_set(err, errno, "%s", making->name);
	image->root = strdup(making->path);
	return image->root ? 0 : error_set(err, ENOMEM, "%s", making->name);
}

static int open_path(struct image *image, struct making *making, struct error *err)
{
	/* Not to wait for who writes to a FIFO. */
	cleanup_close int file = open(making->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat status;

	if (file < 0 || fstat(file, &status))
		return error_set(err, errno, "%s", making->name);
	if (S_ISDIR(status.st_mode))
		return oci_is_layout(file) ? open_entry(image, making, make_from_layout, file, err)
					   : open_directory(image, making, file, err);
	if (S_ISREG(status.st_mode))
		return open_entry(image, making, make_from_tar, file, err);
	return error_set(
		err, 0, "%s: is neither a directory, nor a tar, nor an OCI layout", making->name);
}

/* What people call an image of the cache. */
static int make_from_name(struct making *making, int file, struct error *err)
{
	char entry[HASH_TEXT];
	int found = image_ref_find(&making->store, making->name, entry, err);

	return found > 0 ? make_from_entry(making, entry, err) : found;
}

static int open_name(struct image *image, struct making *making, struct error *err)
{
	if (making->options->cache && !strchr(making->name, '/'))
		return open_entry(image, making, make_from_name, -1, err);
	return error_set(err, ENOENT, "%s", making->name);
}

int image_open(const char *name, const struct image_options *options, struct image *image,
	struct error *err)
{
	struct making making = { .name = name, .options = options };
	cleanup_free char *given = oci_split_name(name, &making.tag), *path = NULL;
	int failed;

	*image = (struct image){ .lock = -1 };
	if (!given)
		return error_set(err, ENOMEM, "%s", name);
	path = realpath(given, NULL);
	if (!path && errno != ENOENT)
		return error_set(err, errno, "%s", name);
	making.path = path;
	failed = path ? open_path(image, &making, err) : open_name(image, &making, err);
	if (failed)
		image_close(image);
	return failed;
}

void image_close(struct image *image)
{
	free(image->root);
	free(image->owners);
	image_config_release(&image->config);
	if (image->lock >= 0)
		close(image->lock);
	*image = (struct image){ .lock = -1 };
}

int image_digest_again(const struct image *image, char digest[HASH_TEXT], struct error *err)
{
	cleanup_close int root = open(image->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup_close int dir = -1;

	if (root < 0)
		return error_set(err, errno, "%s", image->root);
	if (image->kind == IMAGE_DIRECTORY)
		return tree_digest(root, NULL, digest, err);
	dir = openat(root, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir < 0 ? error_set(err, errno, "%s", image->root)
		       : image_entry_digest(dir, digest, err);
}

int image_digest(struct image *image, struct error *err)
{
	if (image->digest[0])
		return 0;
	if (image_digest_again(image, image->digest, err)) {
		image->digest[0] = '\0';
		return -1;
	}
	if (image->kind != IMAGE_DIRECTORY)
		image_entry_note(image->root, image->digest);
	return 0;
}
