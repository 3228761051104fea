/*
 * Which entry of the cache a file of the host was unpacked to, so that it need not be read again at
 * each start. A file is known by its place and times; one that was changed a moment ago may be
 * changed again without a difference in these, and is not remembered.
 */
#ifndef STET_IMAGE_SOURCES_H
#define STET_IMAGE_SOURCES_H

#include <sys/stat.h>

#include "image/store.h"

/* A file as it was when it was looked at. */
struct image_source {
	char key[HASH_TEXT]; /* its name in the cache */
	struct stat status;
	bool settled; /* it was not changed just before */
};

/* `tag` is which of several images in the file, or NULL. */
int image_source_look(struct image_source *source, int file, const char *tag);
/* Is it as it was? */
bool image_source_same(const struct image_source *source, int file);

/* False when it is not known. */
bool image_source_find(
	const struct image_store *store, const struct image_source *source, char entry[HASH_TEXT]);
/* Does nothing when it cannot. */
void image_source_remember(
	const struct image_store *store, const struct image_source *source, const char *entry);

/* A line of 64 hexadecimal digits, as it is in the files here and of refs.h. */
bool image_store_read_name(int dir, const char *name, char entry[HASH_TEXT]);

#endif
