/*
 * Unpacks a tar into a directory, whatever the tar says: nothing is written outside of the
 * directory, names that lead elsewhere are an error, as are devices (but for those below dev, which
 * are left out: the container has its own), and more bytes than are allowed. Kept are modes, times
 * of modification, hard links, holes, and the extended attributes user.*; owners are numbers.
 *
 * Names are bytes. libarchive gives them as they are in the tar as long as the program stays in the
 * C locale.
 */
#ifndef STET_IMAGE_UNPACK_H
#define STET_IMAGE_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "image/owners.h"

struct archive;

struct unpack {
	int root;	       /* the directory, open for reading; it keeps its own mode and times
				  unless the tar says otherwise */
	bool layer;	       /* of an OCI image: names with .wh. delete what lower layers have */
	bool give;	       /* files get their owners: for root. Otherwise: */
	struct owners *owners; /* who they belong to, unless 0:0; or NULL */
	uint64_t left;	       /* bytes that may still be written, by all layers together */
};

/* Of these bytes each entry takes this many, apart from its content. */
#define UNPACK_ENTRY_COST 1024

/* `archive` comes from unpack_reader() and is open. `name` is for messages. What was unpacked before
 * an error stays for the caller to remove. */
int unpack_archive(
	struct unpack *unpack, struct archive *archive, const char *name, struct error *err);

/* What unpack_archive reads from, to be opened by the caller; NULL: no memory. It takes off every
 * compression that tars come in but gzip, which unpack_archive does itself: libarchive does not check
 * its sums. */
struct archive *unpack_reader(void);

/* Reads a tar in every compression entry by entry, for a look into it; NULL: no memory. */
struct archive *unpack_lister(void);

#endif
