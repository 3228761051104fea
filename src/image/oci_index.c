#include <stdio.h>
#include <string.h>

#include "image/oci_parts.h"

#define DEPTH_MAX 8   /* of indexes in indexes */
#define LISTED	  400 /* bytes of a list of names in a message */

/* How well a manifest's platform fits, the best first. */
enum fit { FIT_EXACT, FIT_VARIANT, FIT_UNSAID, FIT_NOT };

/* The search behind one entry of index.json. */
struct search {
	struct oci_source *source;
	enum fit fit;
	struct oci_descriptor best;
	/* For the message when nothing is found. */
	char *others; /* LISTED bytes: what there is instead */
};

static void list_add(char others[LISTED], const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void list_add(char others[LISTED], const char *format, ...)
{
	static const char more[] = ", ...";
	size_t used = strlen(others), comma = used ? 2 : 0;
	char text[LISTED];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (used >= sizeof(more) && strcmp(others + used - strlen(more), more) == 0)
		return;
	if (used + comma + strlen(text) + sizeof(more) > LISTED)
		memcpy(others + used, more, sizeof(more));
	else
		sprintf(others + used, "%s%s", comma ? ", " : "", text);
}

static enum fit fit_of(const struct oci_descriptor *manifest)
{
	if (!manifest->system)
		return FIT_UNSAID;
	if (strcmp(manifest->system, "linux") != 0 || strcmp(manifest->architecture, "amd64") != 0)
		return FIT_NOT;
	return manifest->variant ? FIT_VARIANT : FIT_EXACT;
}

/* Of several that fit equally the first is taken, as others do. */
static void offer(struct search *search, const struct oci_descriptor *manifest)
{
	enum fit fit = fit_of(manifest);

	if (fit < search->fit) {
		search->fit = fit;
		search->best = *manifest;
		search->best.media = search->best.tag = NULL;
		search->best.system = search->best.architecture = search->best.variant = NULL;
	} else if (fit == FIT_NOT && strcmp(manifest->system, "unknown") != 0) {
		/* "unknown" is what attestations have for a platform. */
		list_add(search->others, "%s/%s", manifest->system, manifest->architecture);
	}
}

static int walk(
	struct search *search, const struct oci_descriptor *from, int depth, struct error *err);

static int walk_entries(
	struct search *search, const struct oci_document *document, int depth, struct error *err)
{
	struct oci_descriptor entry;
	json_t *list;

	if (oci_check_kind(document, OCI_INDEX, err) ||
		oci_member(document, document->json, "manifests", JSON_ARRAY, OCI_OPTIONAL, &list,
			err))
		return -1;
	for (size_t i = 0; i < json_array_size(list); i++)
		if (oci_descriptor_read(document, json_array_get(list, i), &entry, err) ||
			walk(search, &entry, depth, err))
			return -1;
	return 0;
}

/* Follows a descriptor; `depth` is the number of indexes above it. */
static int walk(
	struct search *search, const struct oci_descriptor *from, int depth, struct error *err)
{
	struct oci_document document;
	int failed;

	if (from->kind == OCI_MANIFEST)
		offer(search, from);
	else if (from->kind != OCI_INDEX)
		list_add(search->others, "media type %s", from->media);
	if (from->kind != OCI_INDEX)
		return 0;
	if (depth >= DEPTH_MAX)
		return error_set(err, 0, "%s: blob %s: it is the %dth index in an index: refused",
			search->source->name, from->digest.text, depth + 1);
	if (oci_document_blob(search->source, &from->digest, from->size, NULL, &document, err))
		return -1;
	failed = walk_entries(search, &document, depth + 1, err);
	oci_document_release(&document);
	return failed;
}

/* What an entry of index.json is chosen by. */
static bool is_named(const struct oci_descriptor *entry, const char *tag)
{
	return (entry->tag && strcmp(entry->tag, tag) == 0) || strcmp(entry->digest.text, tag) == 0;
}

/* What to put behind PATH: to choose. With a tag: the digests of those that have it. */
static int list_tags(const struct oci_document *index, const json_t *list, const char *tag,
	char tags[LISTED], struct error *err)
{
	struct oci_descriptor entry;

	*tags = 0;
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (oci_descriptor_read(index, json_array_get(list, i), &entry, err))
			return -1;
		if (!tag || is_named(&entry, tag))
			list_add(tags, "%s", entry.tag && !tag ? entry.tag : entry.digest.text);
	}
	return 0;
}

static int refuse_several(
	const struct oci_document *index, const json_t *list, const char *tag, struct error *err)
{
	char tags[LISTED];

	if (list_tags(index, list, tag, tags, err))
		return -1;
	return error_set(err, 0, "%s: it has several images: choose one by PATH:TAG, of: %s",
		index->image, tags);
}

static int refuse_none(const struct oci_document *index, const json_t *list, const char *tag,
	const char *others, struct error *err)
{
	char tags[LISTED];

	if (*others)
		return error_set(err, 0, "%s: it has no image for linux/amd64, but: %s",
			index->image, others);
	if (!tag)
		return oci_wrong(index, err, "it names no image");
	if (list_tags(index, list, NULL, tags, err))
		return -1;
	return error_set(err, 0, "%s: it has no image with tag %.100s; it has: %s", index->image,
		tag, *tags ? tags : "none");
}

/* One image may have several tags; several images need a choice. */
static int choose(struct oci_source *source, const struct oci_document *index, const json_t *list,
	const char *tag, struct oci_descriptor *manifest, struct error *err)
{
	char others[LISTED] = "";
	bool found = false;

	for (size_t i = 0; i < json_array_size(list); i++) {
		struct search search = { .source = source, .fit = FIT_NOT, .others = others };
		struct oci_descriptor entry;

		if (oci_descriptor_read(index, json_array_get(list, i), &entry, err))
			return -1;
		if (tag && !is_named(&entry, tag))
			continue;
		if (walk(&search, &entry, 1, err))
			return -1;
		if (search.fit == FIT_NOT)
			continue;
		if (found && strcmp(manifest->digest.text, search.best.digest.text) != 0)
			return refuse_several(index, list, tag, err);
		*manifest = search.best;
		found = true;
	}
	return found ? 0 : refuse_none(index, list, tag, others, err);
}

int oci_choose(struct oci_source *source, const struct oci_document *index, const char *tag,
	struct oci_descriptor *manifest, struct error *err)
{
	json_t *list;

	if (oci_check_kind(index, OCI_INDEX, err) ||
		oci_member(index, index->json, "manifests", JSON_ARRAY, OCI_REQUIRED, &list, err))
		return -1;
	return choose(source, index, list, tag, manifest, err);
}
