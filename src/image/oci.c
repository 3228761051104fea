#include "image/oci.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/oci_parts.h"

char *oci_split_name(const char *name, const char **tag)
{
	cleanup_free char *path = strdup(name);
	char *colon = path, *end = path ? path + strlen(path) : NULL;

	/* From the longest path to shorter ones, one colon after the other. */
	*tag = NULL;
	while (path && colon && faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
		colon = strrchr(path, ':');
		if (colon)
			*colon = 0;
	}
	if (!colon || !*path)
		return strdup(name);
	if (path + strlen(path) != end)
		*tag = name + strlen(path) + 1;
	return strdup(path);
}

static bool has(int dir, const char *name)
{
	return faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* One that is damaged is one all the same: better an error than an image without a command. */
bool oci_is_layout(int dir)
{
	return has(dir, "oci-layout") || (has(dir, "index.json") && has(dir, "blobs"));
}

static int check_version(struct oci_source *source, struct error *err)
{
	struct oci_document document;
	const char *version;
	int failed;

	if (oci_document_file(source, "oci-layout", &document, err))
		return -1;
	failed = oci_string(
		&document, document.json, "imageLayoutVersion", OCI_REQUIRED, &version, err);
	if (!failed && strncmp(version, "1.", 2) != 0)
		failed =
			oci_wrong(&document, err, "version %.100s is not known, only 1.x", version);
	oci_document_release(&document);
	return failed;
}

static int find_manifest(struct oci_source *source, const char *tag,
	struct oci_descriptor *manifest, struct error *err)
{
	struct oci_document index;
	int failed;

	if (oci_document_file(source, "index.json", &index, err))
		return -1;
	failed = oci_choose(source, &index, tag, manifest, err);
	oci_document_release(&index);
	return failed;
}

static int read_layer(const struct oci_document *document, const json_t *object,
	struct oci_layer *layer, struct error *err)
{
	struct oci_descriptor descriptor;

	if (oci_descriptor_read(document, object, &descriptor, err))
		return -1;
	if (descriptor.kind == OCI_ENCRYPTED)
		return oci_wrong(document, err, "layer %s is encrypted: decrypt the image first",
			descriptor.digest.text);
	if (descriptor.kind != OCI_LAYER)
		return oci_wrong(document, err, "a layer has the unknown media type %.100s",
			descriptor.media);
	layer->blob = descriptor.digest;
	layer->size = descriptor.size;
	return 0;
}

static int read_layers(
	const struct oci_document *document, const json_t *list, struct oci *oci, struct error *err)
{
	size_t count = json_array_size(list);

	if (count > OCI_LAYERS_MAX)
		return oci_wrong(
			document, err, "it has %zu layers, more than %d", count, OCI_LAYERS_MAX);
	oci->layers = calloc(count + 1, sizeof(*oci->layers));
	if (!oci->layers)
		return error_set(err, ENOMEM, "%s", document->image);
	oci->layer_count = count;
	for (size_t i = 0; i < count; i++)
		if (read_layer(document, json_array_get(list, i), &oci->layers[i], err))
			return -1;
	return 0;
}

int oci_manifest_read(const struct oci_document *document, struct oci *oci,
	struct oci_descriptor *config, struct error *err)
{
	json_t *object, *list;

	if (oci_check_kind(document, OCI_MANIFEST, err) ||
		oci_member(document, document->json, "config", JSON_OBJECT, OCI_REQUIRED, &object,
			err) ||
		oci_descriptor_read(document, object, config, err))
		return -1;
	if (config->kind != OCI_CONFIG)
		return oci_wrong(document, err,
			"its config has media type %.100s: this is no image to run", config->media);
	if (oci_member(document, document->json, "layers", JSON_ARRAY, OCI_OPTIONAL, &list, err))
		return -1;
	return read_layers(document, list, oci, err);
}

static int read_config(struct oci_source *source, const struct oci_descriptor *config,
	struct oci *oci, struct error *err)
{
	struct oci_document document;
	int failed;

	if (oci_document_blob(source, &config->digest, config->size, NULL, &document, err))
		return -1;
	failed = oci_config_read(&document, oci, err);
	oci_document_release(&document);
	return failed;
}

static int read_manifest(struct oci_source *source, const struct oci_descriptor *manifest,
	struct oci *oci, struct error *err)
{
	struct oci_descriptor config;
	struct oci_document document;
	int failed;

	if (oci_document_blob(
		    source, &manifest->digest, manifest->size, oci->manifest, &document, err))
		return -1;
	failed = oci_manifest_read(&document, oci, &config, err) ||
		 read_config(source, &config, oci, err);
	oci_document_release(&document);
	return failed ? -1 : 0;
}

int oci_open(int dir, const char *name, const char *tag, struct oci *oci, struct error *err)
{
	struct oci_source source = { .dir = dir, .name = name };
	struct oci_descriptor manifest;

	*oci = (struct oci){ .dir = dir };
	if (check_version(&source, err) || find_manifest(&source, tag, &manifest, err))
		return -1;
	if (read_manifest(&source, &manifest, oci, err)) {
		oci_close(oci);
		return -1;
	}
	return 0;
}

void oci_close(struct oci *oci)
{
	free(oci->layers);
	image_config_release(&oci->config);
	*oci = (struct oci){ .dir = -1 };
}
