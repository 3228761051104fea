/*
 * What is known of an unpacked image, in the file `info` of its entry: a line with the SHA-256 of
 * the rest, which is JSON. A file that was written only in part is not taken for one.
 */
#ifndef STET_IMAGE_INFO_H
#define STET_IMAGE_INFO_H

#include <jansson.h>

#include "image/image.h"

#define INFO_BOOT 64

/* Zeroed at first. */
struct image_info {
	enum image_kind kind;
	char entry[HASH_TEXT];	/* digest of the tar, or of the manifest */
	char digest[HASH_TEXT]; /* of the files: tree_digest.h; "" when nobody asked yet */
	char *source;		/* where it came from: an absolute path, for people */
	uint64_t source_bytes;	/* of the tar; 0 when it was not one */
	uint64_t bytes, files;	/* what was unpacked */
	int64_t created;	/* seconds since 1970 */
	char boot[INFO_BOOT];	/* since when the kernel ran that knows its files to be whole */
	struct image_config config;
};

int image_info_read(int entry, struct image_info *info, struct error *err);
/* Replaces the file in one step. */
int image_info_write(int entry, const struct image_info *info, struct error *err);
void image_info_release(struct image_info *info);

/* The same for people's programs, without what is nobody's business; NULL: no memory. */
json_t *image_info_json(const struct image_info *info);
/* A string whatever its bytes are: what is not UTF-8 is replaced. */
json_t *image_info_text(const char *text);

#endif
