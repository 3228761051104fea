/*
 * The cache of unpacked bundles, mode 0700: an entry per bundle, named by the hash of its bytes. An
 * entry is made under another name and gets its own when it is complete, so that one that is there
 * can be trusted; after a restart of the machine, when that is not sure any more, it is made again.
 * What killed processes left, and what nobody has used for a month, is removed when the next one is
 * made. Who uses an entry holds a shared lock on it.
 */
#ifndef STET_BUNDLE_STORE_H
#define STET_BUNDLE_STORE_H

#include "bundle/unpack.h"

struct bundle_entry {
	char *path; /* of its directory, absolute */
	int lock;
};

/* Unpacks the bundle below the directory `cache`, unless it is there. To be closed in any case. */
int bundle_entry_open(struct bundle_entry *entry, struct bundle *bundle, const char *cache,
	const struct bundle_how *how, struct error *err);
void bundle_entry_close(struct bundle_entry *entry);

#endif
