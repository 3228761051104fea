#include <string.h>

#include "image/oci_parts.h"

static const struct {
	const char *media;
	enum oci_kind kind;
} kinds[] = {
	{ "application/vnd.oci.image.index.v1+json", OCI_INDEX },
	{ "application/vnd.docker.distribution.manifest.list.v2+json", OCI_INDEX },
	{ "application/vnd.oci.image.manifest.v1+json", OCI_MANIFEST },
	{ "application/vnd.docker.distribution.manifest.v2+json", OCI_MANIFEST },
	{ "application/vnd.oci.image.config.v1+json", OCI_CONFIG },
	{ "application/vnd.docker.container.image.v1+json", OCI_CONFIG },
	{ "application/vnd.oci.image.layer.v1.tar", OCI_LAYER },
	{ "application/vnd.oci.image.layer.v1.tar+gzip", OCI_LAYER },
	{ "application/vnd.oci.image.layer.v1.tar+zstd", OCI_LAYER },
	{ "application/vnd.oci.image.layer.nondistributable.v1.tar", OCI_LAYER },
	{ "application/vnd.oci.image.layer.nondistributable.v1.tar+gzip", OCI_LAYER },
	{ "application/vnd.oci.image.layer.nondistributable.v1.tar+zstd", OCI_LAYER },
	{ "application/vnd.docker.image.rootfs.diff.tar", OCI_LAYER },
	{ "application/vnd.docker.image.rootfs.diff.tar.gzip", OCI_LAYER },
	{ "application/vnd.docker.image.rootfs.diff.tar.zstd", OCI_LAYER },
	{ "application/vnd.docker.image.rootfs.foreign.diff.tar", OCI_LAYER },
	{ "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip", OCI_LAYER },
};

static enum oci_kind kind_of(const char *media)
{
	static const char encrypted[] = "+encrypted";
	size_t length = strlen(media), end = sizeof(encrypted) - 1;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(media, kinds[i].media) == 0)
			return kinds[i].kind;
	if (length > end && strcmp(media + length - end, encrypted) == 0)
		return OCI_ENCRYPTED;
	return OCI_OTHER;
}

static int read_size(const struct oci_document *document, const json_t *object, uint64_t *size,
	struct error *err)
{
	json_t *member;

	if (oci_member(document, object, "size", JSON_INTEGER, OCI_REQUIRED, &member, err))
		return -1;
	if (json_integer_value(member) < 0)
		return oci_wrong(document, err, "\"size\" must not be negative");
	*size = (uint64_t)json_integer_value(member);
	return 0;
}

static int read_platform(const struct oci_document *document, const json_t *object,
	struct oci_descriptor *descriptor, struct error *err)
{
	json_t *platform;

	if (oci_member(document, object, "platform", JSON_OBJECT, OCI_OPTIONAL, &platform, err))
		return -1;
	if (!platform)
		return 0;
	if (oci_string(document, platform, "os", OCI_REQUIRED, &descriptor->system, err) ||
		oci_string(document, platform, "architecture", OCI_REQUIRED,
			&descriptor->architecture, err))
		return -1;
	return oci_string(document, platform, "variant", OCI_OPTIONAL, &descriptor->variant, err);
}

static int read_tag(const struct oci_document *document, const json_t *object, const char **tag,
	struct error *err)
{
	json_t *annotations;

	if (oci_member(
		    document, object, "annotations", JSON_OBJECT, OCI_OPTIONAL, &annotations, err))
		return -1;
	*tag = NULL;
	return annotations ? oci_string(document, annotations, "org.opencontainers.image.ref.name",
				     OCI_OPTIONAL, tag, err)
			   : 0;
}

int oci_descriptor_read(const struct oci_document *document, const json_t *object,
	struct oci_descriptor *descriptor, struct error *err)
{
	const char *artifact;
	json_t *digest;

	*descriptor = (struct oci_descriptor){ 0 };
	if (!json_is_object(object))
		return oci_wrong(document, err, "a descriptor must be an object");
	if (oci_string(document, object, "mediaType", OCI_REQUIRED, &descriptor->media, err) ||
		oci_member(document, object, "digest", JSON_STRING, OCI_REQUIRED, &digest, err) ||
		oci_take_digest(document, digest, &descriptor->digest, err) ||
		read_size(document, object, &descriptor->size, err) ||
		read_platform(document, object, descriptor, err) ||
		read_tag(document, object, &descriptor->tag, err) ||
		oci_string(document, object, "artifactType", OCI_OPTIONAL, &artifact, err))
		return -1;
	/* A manifest with this is a signature, a bill of materials or the like. */
	if (artifact)
		descriptor->media = artifact;
	descriptor->kind = kind_of(descriptor->media);
	return 0;
}

int oci_check_kind(const struct oci_document *document, enum oci_kind kind, struct error *err)
{
	const char *media;
	json_t *version;

	if (oci_member(document, document->json, "schemaVersion", JSON_INTEGER, OCI_REQUIRED,
		    &version, err) ||
		oci_string(document, document->json, "mediaType", OCI_OPTIONAL, &media, err))
		return -1;
	if (json_integer_value(version) != 2)
		return oci_wrong(document, err, "\"schemaVersion\" is %lld, and only 2 is known",
			(long long)json_integer_value(version));
	if (media && kind_of(media) != kind)
		return oci_wrong(
			document, err, "media type %.100s is not what its descriptor says", media);
	return 0;
}
