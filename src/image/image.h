/*
 * The initial file system of a run as a value: a directory, a tar or an OCI image layout, found and,
 * unless it is a directory, unpacked below the cache (store.h). Uses base, libarchive and jansson;
 * knows nothing of the container and of command lines. Never prints: messages come back in struct
 * error.
 */
#ifndef STET_IMAGE_IMAGE_H
#define STET_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"

/* What an OCI image says of how it is to be run; of others, all NULL. */
struct image_config {
	char **environment; /* NAME=VALUE, NULL-terminated, or NULL */
	char **entrypoint, **command;
	char *workdir, *user;
};

enum image_kind { IMAGE_DIRECTORY, IMAGE_TAR, IMAGE_OCI };
const char *image_kind_name(enum image_kind kind);

/* An image that is ready to be started from. */
struct image {
	enum image_kind kind;
	char entry[HASH_TEXT]; /* its name in the cache; "" for a directory */
	char *root;	       /* the directory with its files, absolute, without symbolic links */
	char *owners; /* file that lists owners (owners.h), or NULL when the files have theirs */
	char digest[HASH_TEXT]; /* of its files, hexadecimal; "" until image_digest() was called */
	struct image_config config;
	int lock; /* keeps it from being pruned; -1: nothing to keep */
};

struct image_options {
	const char *cache; /* directory "images" of the cache; NULL when there is none */
	uint64_t limit;	   /* bytes that the unpacked files may have together: --image-limit */
	void (*progress)(uint64_t done, uint64_t all); /* of bytes of the archive, or NULL */
};

#define IMAGE_LIMIT_DEFAULT (32ull << 30)

/* `name` is a path of the host, or what an image of the cache is called (refs.h) where there is no
 * such path. The image is to be closed when the run has ended. Messages start with the name. */
int image_open(const char *name, const struct image_options *options, struct image *image,
	struct error *err);
void image_close(struct image *image);
/* Fills image->digest, see tree_digest.h. Reads all files, unless it is known from another time. */
int image_digest(struct image *image, struct error *err);
/* The digest that the files have now. */
int image_digest_again(const struct image *image, char digest[HASH_TEXT], struct error *err);

#endif
