/* The documents of an OCI layout, from a stranger: index, manifest and config, with a zero byte behind
 * each of the first two. Digests are no hindrance here, as the documents are given directly. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "image/oci_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct oci_document document;

/* Cuts off the part up to a zero byte, and reads it as a document. */
static bool next_document(const uint8_t **data, size_t *size)
{
	const uint8_t *zero = memchr(*data, 0, *size);
	size_t part = zero ? (size_t)(zero - *data) : *size;
	struct error err;
	bool read;

	document = (struct oci_document){ .image = "image", .place = "document" };
	read = oci_document_parse(&document, (const char *)*data, part, &err) == 0;
	*data += part + (zero ? 1 : 0);
	*size -= part + (zero ? 1 : 0);
	return read;
}

static void read_index(int dir)
{
	struct oci_source source = { .dir = dir, .name = "image" };
	struct oci_descriptor manifest;
	struct error err;

	if (oci_choose(&source, &document, NULL, &manifest, &err) &&
		oci_choose(&source, &document, "tag", &manifest, &err) && !err.text[0])
		abort(); /* an error without a message */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int dir = -2;
	struct oci_descriptor config;
	struct oci oci = { 0 };
	struct error err;

	if (dir == -2)
		dir = open("/proc/self/fdinfo", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (next_document(&data, &size))
		read_index(dir);
	oci_document_release(&document);
	if (next_document(&data, &size) && oci_manifest_read(&document, &oci, &config, &err) == 0 &&
		oci.layer_count > OCI_LAYERS_MAX)
		abort();
	oci_document_release(&document);
	if (next_document(&data, &size) && oci_config_read(&document, &oci, &err) == 0 &&
		oci.config.workdir && oci.config.workdir[0] != '/')
		abort();
	oci_document_release(&document);
	oci_close(&oci);
	return 0;
}
