/*
 * Makes a directory that --save wrote what an overlay can have over an image: the list of deletions
 * becomes what overlays know instead. Then it is on the disk. Uses base only.
 */
#ifndef STET_DEB_LAYER_H
#define STET_DEB_LAYER_H

#include "base/error.h"

/* `image` is the root that the run started from. */
int layer_from_saved(const char *directory, const char *image, struct error *err);

#endif
