/* `stet image import`, `prune`, `rm` and `digest`. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "cli/cli.h"
#include "cli/image.h"

#define DAY 86400

static int give_name(const struct image *image, const char *name, struct error *err)
{
	struct image_store store;
	int failed;

	if (image_cache_open(&store, err))
		return -1;
	failed = image_ref_set(&store, name, image->entry, err);
	image_store_close(&store);
	return failed;
}

int image_import(const struct image_words *words, struct error *err)
{
	const char *path = words->words[0], *name = words->words[1];
	struct image image;
	int failed = 0;

	if (name && image_ref_check(name, err))
		return -1;
	if (image_prepare(path, words->limit, words->quiet, &image, err))
		return -1;
	if (image.kind == IMAGE_DIRECTORY)
		failed = error_set(err, 0,
			"%s: is a directory, which is used as it is: give its path to --image",
			path);
	/* It is in use until it has its name: a prune meanwhile leaves it alone. */
	else if (name)
		failed = give_name(&image, name, err);
	if (!failed)
		printf("sha256:%s\n", image.entry);
	image_close(&image);
	return failed;
}

/* Against the digest that is known from another time. */
static int check_files(const struct image *image, struct error *err)
{
	char digest[HASH_TEXT];

	if (image_digest_again(image, digest, err))
		return -1;
	if (strcmp(digest, image->digest) == 0) {
		printf("sha256:%s verified\n", digest);
		return 0;
	}
	say("the files in the cache have changed: they have sha256:%s, and had sha256:%s; 'stet "
	    "image rm' removes them",
		digest, image->digest);
	return 1;
}

int image_tell_digest(const struct image_words *words, struct error *err)
{
	struct image image;
	int status;

	if (image_prepare(words->words[0], words->limit, words->quiet, &image, err))
		return -1;
	/* Where there is none yet, there is nothing to compare with. */
	if (words->check && image.digest[0]) {
		status = check_files(&image, err);
	} else {
		status = image_digest(&image, err);
		if (status == 0)
			printf("sha256:%s\n", image.digest);
	}
	image_close(&image);
	return status;
}

static size_t count_names(const struct image_refs *refs, const char *entry)
{
	size_t count = 0;

	for (size_t i = 0; i < refs->count; i++)
		count += strcmp(refs->list[i].entry, entry) == 0;
	return count;
}

static void remove_names(
	const struct image_store *store, const struct image_refs *refs, const char *entry)
{
	for (size_t i = 0; i < refs->count; i++)
		if (strcmp(refs->list[i].entry, entry) == 0)
			image_ref_remove(store, refs->list[i].name);
}

static bool is_prunable(const struct image_words *words, const struct image_refs *refs,
	const struct image_entry *entry)
{
	if (!words->all && count_names(refs, entry->info.entry))
		return false;
	return !words->older || entry->used <= time(NULL) - (int64_t)words->older * DAY;
}

/* Removes it, or only looks whether that could be done. */
static bool goes(
	const struct image_words *words, const struct image_store *store, const char *entry)
{
	return words->dry_run ? !image_entry_in_use(store, entry)
			      : image_entry_remove(store, entry) != REMOVAL_IN_USE;
}

/* Answers the bytes that are free now, or would be. */
static uint64_t prune_entry(const struct image_words *words, const struct image_store *store,
	const struct image_refs *refs, const struct image_info *info)
{
	char size[SIZE_TEXT];

	if (!goes(words, store, info->entry)) {
		printf("sha256:%.*s  in use\n", SHORT_DIGEST, info->entry);
		return 0;
	}
	if (!words->dry_run)
		remove_names(store, refs, info->entry);
	image_size_text(info->bytes, size);
	printf("sha256:%.*s  %s%s\n", SHORT_DIGEST, info->entry,
		words->dry_run ? "would go, " : "removed, ", size);
	return info->bytes;
}

static int prune(
	const struct image_words *words, const struct image_store *store, struct error *err)
{
	/* Nobody gives a name to what is on its way out. */
	cleanup_close int guard = image_store_lock(store, err);
	struct image_listing listing = { 0 };
	struct image_refs refs = { 0 };
	uint64_t bytes = 0;
	char size[SIZE_TEXT];
	int failed = guard < 0 || image_store_list(store, &listing, err) ||
		     image_refs_read(store, &refs, err);

	for (size_t i = 0; !failed && i < listing.count; i++)
		if (is_prunable(words, &refs, &listing.list[i]))
			bytes += prune_entry(words, store, &refs, &listing.list[i].info);
	if (!failed && !words->dry_run)
		image_store_tidy(store);
	image_size_text(bytes, size);
	if (!failed)
		printf("%s %s\n", size, words->dry_run ? "would be freed" : "freed");
	free(refs.list);
	image_listing_release(&listing);
	return failed ? -1 : 0;
}

int image_prune(const struct image_words *words, struct error *err)
{
	struct image_store store;
	int failed;

	if (image_cache_open(&store, err))
		return -1;
	failed = prune(words, &store, err);
	image_store_close(&store);
	return failed;
}

/* A name goes, and the image with its last one; a digest takes the image with all its names. */
static int remove_one(const struct image_store *store, const char *name, struct error *err)
{
	cleanup_close int guard = image_store_lock(store, err);
	struct image_refs refs = { 0 };
	char entry[HASH_TEXT];
	bool by_digest = strncmp(name, "sha256:", strlen("sha256:")) == 0;
	int found = guard < 0 ? -1 : image_ref_find(store, name, entry, err);
	int failed = found < 0 ? -1 : 0;

	if (found == 0)
		return error_set(err, 0, "%s: no image of the cache has this name", name);
	failed = failed || image_refs_read(store, &refs, err);
	if (!failed && (by_digest || count_names(&refs, entry) == 1)) {
		if (image_entry_remove(store, entry) == REMOVAL_IN_USE)
			failed = error_set(err, 0, "%s: is in use", name);
		else
			remove_names(store, &refs, entry);
	} else if (!failed) {
		image_ref_remove(store, name);
	}
	free(refs.list);
	return failed ? -1 : 0;
}

int image_remove(const struct image_words *words, struct error *err)
{
	struct image_store store;
	int failed;

	if (image_cache_open(&store, err))
		return -1;
	failed = remove_one(&store, words->words[0], err);
	image_store_close(&store);
	return failed;
}
