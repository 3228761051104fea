/*
 * Unpacks an archive into a directory, whatever the archive says: nothing is written outside of the
 * directory, names that lead elsewhere are an error, as are devices (but for those below dev, which
 * are left out: the container has its own), and more bytes than are allowed.
 */
#ifndef STET_IMAGE_UNPACK_H
#define STET_IMAGE_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "image/owners.h"

struct archive;

struct unpack {
	int root;	       /* the directory */
	bool layer;	       /* of an OCI image: names with .wh. delete what lower layers have */
	bool give;	       /* files get their owners: for root. Otherwise: */
	struct owners *owners; /* who they belong to, unless 0:0 */
	uint64_t left;	       /* bytes that may still be written, by all layers together */
};

/* `name` is for messages. What was unpacked before an error stays for the caller to remove. */
int unpack_archive(
	struct unpack *unpack, struct archive *archive, const char *name, struct error *err);

/* An archive reader that knows tar in every compression, and nothing else; NULL: no memory. */
struct archive *unpack_reader(void);

#endif
