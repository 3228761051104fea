/*
 * OCI image layouts: a directory, or a tar of one, with index, manifest, config and layers, all of
 * them named by the digest of their content, which is checked.
 */
#ifndef STET_IMAGE_OCI_H
#define STET_IMAGE_OCI_H

#include "image/image.h"

struct oci_layer {
	char digest[HASH_TEXT]; /* of the blob, as it lies there */
	char diff[HASH_TEXT];	/* of its tar, uncompressed */
	uint64_t size;
};

/* One image of a layout. */
struct oci {
	int dir;		  /* the layout */
	char manifest[HASH_TEXT]; /* its digest: the image's name */
	struct oci_layer *layers; /* from the lowest */
	size_t layer_count;
	struct image_config config;
};

/* Is it one? */
bool oci_is_layout(int dir);
/* Reads index, manifest and config of the layout's image for this machine: linux/amd64. Layers are
 * not looked at. */
int oci_open(int dir, const char *name, struct oci *oci, struct error *err);
void oci_close(struct oci *oci);
void image_config_release(struct image_config *config);

struct unpack;
/* Unpacks all layers in order, checking both digests of each. */
int oci_unpack(const struct oci *oci, const char *name, struct unpack *unpack, struct error *err);

#endif
