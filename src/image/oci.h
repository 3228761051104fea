/*
 * OCI image layouts: a directory, or a tar of one, with index, manifest, config and layers, all of
 * them named by the digest of their content, which is checked. `name` is what messages call the
 * image. What a layout says is never trusted: documents and lists have limits, and blobs are opened
 * only when they are plain files of the size that was announced.
 */
#ifndef STET_IMAGE_OCI_H
#define STET_IMAGE_OCI_H

#include <stddef.h>

#include "image/image.h"
#include "image/oci_digest.h"

struct oci_layer {
	struct oci_digest blob; /* as it lies there */
	struct oci_digest diff; /* its tar, uncompressed */
	uint64_t size;		/* of the blob */
};

/* One image of a layout. */
struct oci {
	int dir;		  /* the layout; the caller's */
	char manifest[HASH_TEXT]; /* SHA-256 of the manifest: the image's name */
	struct oci_layer *layers; /* from the lowest */
	size_t layer_count;
	struct image_config config;
};

/* NAME is a path, or PATH:TAG; of several ways to read it the one with the longest path that is
 * there. Returns the path, to be freed, and the tag, a part of NAME, or NULL when there is none. */
char *oci_split_name(const char *name, const char **tag);

/* Is it one? */
bool oci_is_layout(int dir);
/* Reads index, manifest and config of the layout's image for this machine, linux/amd64: the only
 * one, or the one with this tag or digest. Layers are not looked at. */
int oci_open(int dir, const char *name, const char *tag, struct oci *oci, struct error *err);
void oci_close(struct oci *oci);
void image_config_release(struct image_config *config);

struct unpack;
/* Unpacks all layers in order, checking both digests of each. `progress` is told the bytes of the
 * blobs, or NULL. */
int oci_unpack(const struct oci *oci, const char *name, struct unpack *unpack,
	void (*progress)(uint64_t done, uint64_t all), struct error *err);

/* Does the tar, in any compression, hold a layout? Decided by its first entries; the file's position
 * does not matter and does not change. */
bool oci_is_tar(int file);
/* Unpacks the layout in a tar into the empty directory `dir`, `limit` bytes at most. */
int oci_from_tar(int file, int dir, const char *name, uint64_t limit,
	void (*progress)(uint64_t done, uint64_t all), struct error *err);

#endif
