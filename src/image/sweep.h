/* Temporary names in the cache of images, and the removal of what killed processes left. */
#ifndef STET_IMAGE_SWEEP_H
#define STET_IMAGE_SWEEP_H

#include "image/store.h"

/* A name that nobody else has. */
void sweep_name(char name[DRAFT_NAME]);
/* Removes what has such a name and is nobody's. */
int image_store_sweep(const struct image_store *store, struct error *err);

#endif
