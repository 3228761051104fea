/*
 * Debian source packages: a .dsc that names its parts, which lie beside it, with checksums. Reads
 * it, signed or not (nobody checks the signature), and copies the parts while it checks them.
 * Uses base only.
 */
#ifndef STET_DEB_DSC_H
#define STET_DEB_DSC_H

#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"

struct dsc_part {
	char *name;
	uint64_t size;
	char digest[HASH_TEXT];
};

struct dsc {
	char *path;		/* of the .dsc */
	char *text;		/* what it says, without the signature */
	char *source, *version; /* valid ones */
	struct dsc_part *parts;
	size_t count;
};

/* To be released in any case. */
int dsc_read(const char *path, struct dsc *dsc, struct error *err);
void dsc_release(struct dsc *dsc);

/* The version as it is in names of files: without epoch. */
const char *dsc_file_version(const struct dsc *dsc);

/* Copies all parts, if they are what the .dsc says, and what it says as NAME, into a directory. */
int dsc_copy(const struct dsc *dsc, const char *directory, const char *name, struct error *err);

#endif
