/* `stet image list` and `stet image inspect`. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "cli/document.h"
#include "cli/image.h"

#define TIME_TEXT  24
#define NAMES_TEXT 256

static void time_text(int64_t seconds, char text[TIME_TEXT])
{
	time_t time = (time_t)seconds;
	struct tm local;

	if (!localtime_r(&time, &local) || !strftime(text, TIME_TEXT, "%Y-%m-%d %H:%M", &local))
		snprintf(text, TIME_TEXT, "?");
}

/* The names of an entry, or - when it has none. */
static void names_text(const struct image_refs *refs, const char *entry, char text[NAMES_TEXT])
{
	size_t length = 0;

	snprintf(text, NAMES_TEXT, "-");
	for (size_t i = 0; i < refs->count && length < NAMES_TEXT; i++)
		if (strcmp(refs->list[i].entry, entry) == 0)
			length += (size_t)snprintf(text + length, NAMES_TEXT - length, "%s%s",
				length ? "," : "", refs->list[i].name);
}

static json_t *names_json(const struct image_refs *refs, const char *entry)
{
	json_t *names = json_array();

	for (size_t i = 0; i < refs->count; i++)
		if (strcmp(refs->list[i].entry, entry) == 0)
			json_array_append_new(names, json_string(refs->list[i].name));
	return names;
}

static json_t *entry_json(const struct image_entry *entry, const struct image_refs *refs)
{
	json_t *json = image_info_json(&entry->info);

	if (json) {
		json_object_set_new(json, "names", names_json(refs, entry->info.entry));
		json_object_set_new(json, "last_used", json_integer(entry->used));
	}
	return json;
}

static int list_json(const struct image_listing *listing, const struct image_refs *refs,
	const char *file, struct error *err)
{
	json_t *images = json_array();

	for (size_t i = 0; i < listing->count; i++)
		json_array_append_new(images, entry_json(&listing->list[i], refs));
	return document_write(json_pack("{s:o}", "images", images), "image-list", file, err);
}

static void print_entry(const struct image_store *store, const struct image_entry *entry,
	const struct image_refs *refs, int width)
{
	char names[NAMES_TEXT], size[SIZE_TEXT], created[TIME_TEXT], used[TIME_TEXT];

	names_text(refs, entry->info.entry, names);
	image_size_text(entry->info.bytes, size);
	time_text(entry->info.created, created);
	time_text(entry->used, used);
	printf("%-*s  %.*s  %9s  %7llu  %-4s  %s  %s\n", width, names, SHORT_DIGEST,
		entry->info.entry, size, (unsigned long long)entry->info.files,
		image_kind_name(entry->info.kind), created,
		image_entry_in_use(store, entry->info.entry) ? "in use" : used);
}

static void list_text(const struct image_store *store, const struct image_listing *listing,
	const struct image_refs *refs)
{
	int width = (int)strlen("NAME");

	for (size_t i = 0; i < listing->count; i++) {
		char names[NAMES_TEXT];

		names_text(refs, listing->list[i].info.entry, names);
		if ((int)strlen(names) > width)
			width = (int)strlen(names);
	}
	printf("%-*s  %-*s  %9s  %7s  %-4s  %-16s  %s\n", width, "NAME", SHORT_DIGEST, "ID", "SIZE",
		"FILES", "KIND", "CREATED", "LAST USED");
	for (size_t i = 0; i < listing->count; i++)
		print_entry(store, &listing->list[i], refs, width);
}

/* The cache, with all that it has. */
struct catalogue {
	struct image_store store;
	struct image_listing listing;
	struct image_refs refs;
};

static void catalogue_close(struct catalogue *all)
{
	free(all->refs.list);
	image_listing_release(&all->listing);
	image_store_close(&all->store);
}

static int catalogue_open(struct catalogue *all, struct error *err)
{
	*all = (struct catalogue){ 0 };
	if (image_cache_open(&all->store, err))
		return -1;
	if (image_store_list(&all->store, &all->listing, err) == 0 &&
		image_refs_read(&all->store, &all->refs, err) == 0)
		return 0;
	catalogue_close(all);
	return -1;
}

int image_list(const struct image_words *words, struct error *err)
{
	struct catalogue all;
	int failed = 0;

	if (catalogue_open(&all, err))
		return -1;
	if (words->json)
		failed = list_json(&all.listing, &all.refs, words->json, err);
	else
		list_text(&all.store, &all.listing, &all.refs);
	catalogue_close(&all);
	return failed ? -1 : 0;
}

static void print_words(const char *label, char **list)
{
	if (!list)
		return;
	printf("%-15s", label);
	for (size_t i = 0; list[i]; i++)
		printf("%s%s", i ? " " : "", list[i]);
	printf("\n");
}

static void print_config(const struct image_config *config)
{
	for (size_t i = 0; config->environment && config->environment[i]; i++)
		printf("%-15s%s\n", i ? "" : "environment:", config->environment[i]);
	print_words("entrypoint:", config->entrypoint);
	print_words("command:", config->command);
	if (config->workdir)
		printf("%-15s%s\n", "workdir:", config->workdir);
	if (config->user)
		printf("%-15s%s\n", "user:", config->user);
}

static void inspect_text(const struct image_entry *entry, const struct image_refs *refs)
{
	const struct image_info *info = &entry->info;
	char names[NAMES_TEXT], created[TIME_TEXT], used[TIME_TEXT];

	names_text(refs, info->entry, names);
	time_text(info->created, created);
	time_text(entry->used, used);
	printf("%-15s%s\n", "kind:", image_kind_name(info->kind));
	printf("%-15ssha256:%s (of the %s)\n", "id:", info->entry,
		info->kind == IMAGE_OCI ? "manifest" : "tar");
	printf("%-15ssha256:%s\n", "digest:", info->digest);
	printf("%-15s%s\n%-15s%s\n", "source:", info->source, "names:", names);
	printf("%-15s%llu bytes in %llu files\n", "size:", (unsigned long long)info->bytes,
		(unsigned long long)info->files);
	printf("%-15s%s\n%-15s%s\n", "created:", created, "last used:", used);
	print_config(&info->config);
}

static int inspect_entry(const struct image *image, const char *json, struct error *err)
{
	struct catalogue all;
	int failed = 0;

	if (catalogue_open(&all, err))
		return -1;
	for (size_t i = 0; !failed && i < all.listing.count; i++) {
		const struct image_entry *entry = &all.listing.list[i];

		if (strcmp(entry->info.entry, image->entry) != 0)
			continue;
		if (json)
			failed = document_write(entry_json(entry, &all.refs), "image", json, err);
		else
			inspect_text(entry, &all.refs);
	}
	catalogue_close(&all);
	return failed ? -1 : 0;
}

static int inspect_directory(struct image *image, const char *json, struct error *err)
{
	if (json)
		return document_write(
			json_pack("{s:s, s:o, s:o}", "type", image_kind_name(image->kind), "digest",
				json_sprintf("sha256:%s", image->digest), "source",
				image_info_text(image->root)),
			"image", json, err);
	printf("%-15s%s\n%-15ssha256:%s\n%-15s%s\n", "kind:", image_kind_name(image->kind),
		"digest:", image->digest, "source:", image->root);
	return 0;
}

int image_inspect(const struct image_words *words, struct error *err)
{
	struct image image;
	int failed;

	if (image_prepare(words->words[0], words->limit, words->quiet, &image, err))
		return -1;
	failed = image_digest(&image, err);
	if (!failed)
		failed = image.kind == IMAGE_DIRECTORY ? inspect_directory(&image, words->json, err)
						       : inspect_entry(&image, words->json, err);
	image_close(&image);
	return failed;
}
