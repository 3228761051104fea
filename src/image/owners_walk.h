/*
 * The owners of files in a directory that is an image, for somebody whose container cannot have
 * them: see owners.h. What the caller owns was put there by the caller, and counts as root's.
 */
#ifndef STET_IMAGE_OWNERS_WALK_H
#define STET_IMAGE_OWNERS_WALK_H

#include "image/owners.h"

/* Adds all that do not belong to 0:0. What lies in directories that the caller may not read is left
 * out: nobody in the container can see it either. */
int owners_walk(struct owners *owners, const char *root, struct error *err);

#endif
