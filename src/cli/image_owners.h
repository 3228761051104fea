/* Who owns the files of the image, for a container that cannot have their owners. */
#ifndef STET_CLI_IMAGE_OWNERS_H
#define STET_CLI_IMAGE_OWNERS_H

#include "box/box.h"
#include "image/image.h"
#include "image/owners.h"

/* Zeroed at first. */
struct image_owners {
	struct owners owners;
	struct box_owner *shown;
};

/* Tells the box: the files have owners of their own, or these. */
int image_owners_find(struct image_owners *owners, const struct image *image,
	struct box_config *box, struct error *err);
void image_owners_release(struct image_owners *owners);

#endif
