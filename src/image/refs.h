/* Names that people gave to images of the cache. */
#ifndef STET_IMAGE_REFS_H
#define STET_IMAGE_REFS_H

#include "image/store.h"

#define REF_NAME 128

struct image_ref {
	char name[REF_NAME];
	char entry[HASH_TEXT];
};
struct image_refs {
	struct image_ref *list; /* sorted by name */
	size_t count;
};

/* A name is letters, digits and ._:- behind one of the first two, and does not look like a
 * digest. */
int image_ref_check(const char *name, struct error *err);
/* Gives an entry a name, which another one may have had. */
int image_ref_set(
	const struct image_store *store, const char *name, const char *entry, struct error *err);
/* Answers whether there was one. */
bool image_ref_remove(const struct image_store *store, const char *name);
int image_refs_read(const struct image_store *store, struct image_refs *refs, struct error *err);

/* The entry that a name, or a digest (sha256: and at least six digits) means, of the tar, the
 * manifest or the files. 1, or 0 when there is none; -1 when there are several. */
int image_ref_find(const struct image_store *store, const char *name, char entry[HASH_TEXT],
	struct error *err);

#endif
