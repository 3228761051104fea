/*
 * The cache of unpacked images, below $XDG_CACHE_HOME/stet/images, mode 0700: an entry per image,
 * named by a digest of where it came from. An entry is made under another name and gets its own when
 * it is complete and on the disk, so that one that is there can be trusted; what a killed process
 * left is removed by the next one. Runs hold a shared lock on the entry that they use.
 */
#ifndef STET_IMAGE_STORE_H
#define STET_IMAGE_STORE_H

#include "image/image.h"

#endif
