/* What the documents of an OCI layout say: descriptors, and which image an index leads to. */
#ifndef STET_IMAGE_OCI_PARTS_H
#define STET_IMAGE_OCI_PARTS_H

#include "image/oci.h"
#include "image/oci_json.h"

/* What a descriptor points to, by its media type. */
enum oci_kind { OCI_OTHER, OCI_INDEX, OCI_MANIFEST, OCI_CONFIG, OCI_LAYER, OCI_ENCRYPTED };

/* Strings belong to the document. */
struct oci_descriptor {
	enum oci_kind kind;
	const char *media;
	struct oci_digest digest;
	uint64_t size;
	const char *tag;		   /* or NULL */
	const char *system, *architecture; /* of its platform, or NULL */
	const char *variant;
};

int oci_descriptor_read(const struct oci_document *document, const json_t *object,
	struct oci_descriptor *descriptor, struct error *err);

/* "schemaVersion" and "mediaType" are those of such a document. */
int oci_check_kind(const struct oci_document *document, enum oci_kind kind, struct error *err);

/* Finds the manifest of the one image for this machine, or of the one with this tag, behind any
 * number of indexes. `manifest` has no strings. */
int oci_choose(struct oci_source *source, const struct oci_document *index, const char *tag,
	struct oci_descriptor *manifest, struct error *err);

#define OCI_LAYERS_MAX 500
/* Reads a manifest's config descriptor and layers, of these `blob` and `size`. */
int oci_manifest_read(const struct oci_document *document, struct oci *oci,
	struct oci_descriptor *config, struct error *err);

/* Reads a config: how the image is to be run, and the layers' diff. */
int oci_config_read(const struct oci_document *document, struct oci *oci, struct error *err);

#endif
