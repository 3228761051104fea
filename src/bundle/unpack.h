/*
 * Reads bundles, whatever they say: the index is checked before anything is written, contents are
 * checked against it, nothing is written outside of the given directory. Uses libarchive.
 */
#ifndef STET_BUNDLE_UNPACK_H
#define STET_BUNDLE_UNPACK_H

#include "bundle/index.h"

struct archive;

/* A bundle that is open. */
struct bundle {
	const char *name;
	int fd;
	struct archive *archive;
	struct bundle_index index;
};

/* Opens it and reads its index. To be closed in any case. */
int bundle_open(struct bundle *bundle, const char *name, struct error *err);
void bundle_close(struct bundle *bundle);

/* Of its bytes, as they lie there: what it is called in the cache. */
int bundle_hash(struct bundle *bundle, char hash[HASH_TEXT], struct error *err);

/* Where things are in a directory that it was unpacked to. */
#define BUNDLE_ROOT   "root"
#define BUNDLE_MOUNTS "mounts" /* and a number */

struct bundle_how {
	uint64_t limit; /* of the bytes of all contents */
	bool give;	/* files get their owners: for root */
	bool marks;	/* those whose content is not there have the times of arena/looks.h */
};

/* Unpacks everything into the empty directory `dir`. What was unpacked before an error stays for the
 * caller to remove. */
int bundle_unpack(struct bundle *bundle, int dir, const struct bundle_how *how, struct error *err);

#endif
