/*
 * The code cache's directory: rewritten files by the digest of their source, safe to share between
 * concurrent runs. A file appears under its name only when it is complete; what a killed run leaves
 * behind is never trusted. No locks: two runs may do the same work, and then agree. Whatever goes
 * wrong with the directory (full, read-only, gone), the answer is that nothing is cached.
 */
#ifndef STET_CODE_STORE_H
#define STET_CODE_STORE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "code/format.h"

#define STORE_NAME	   72		/* room for a name, as in struct code_slot */
#define STORE_DIGEST	   32		/* SHA-256 */
#define STORE_BYTES	   (2ull << 30) /* above this, the files not used for longest are removed */
#define STORE_IDENTITIES   "identity"	/* subdirectory of the index, see known.h */
#define STORE_IDENTITY_MAX 65536	/* entries of the index kept when cleaning up */

struct store {
	int directory;	/* -1: nothing is cached */
	int identities; /* directory of the index; -1 likewise */
	bool written;	/* by this run: only then can it have outgrown its bound */
};

/* Opens, and makes when it is not there. False, with both descriptors -1, when it cannot be
 * used. */
bool store_open(struct store *store, const char *path);

/* Closes, after removing what exceeds the bound if this run added to it. */
void store_close(struct store *store);

/* Writes the name of the cached file for a source's digest. */
void store_name(char name[STORE_NAME], const uint8_t digest[STORE_DIGEST]);

/* Reads and checks a whole cached file; false when it is missing, or not exactly as written. */
bool store_check(const struct store *store, const char *name, struct code_header *header);

/*
 * Completes the image's header (digest, checksum), and puts it into the store under its name, in
 * the place of anything that was there.
 */
bool store_put(
	struct store *store, const uint8_t digest[STORE_DIGEST], uint8_t *image, size_t size);

#endif
