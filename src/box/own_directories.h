/*
 * Directories of one's own, below the private layer and over a tree that belongs to others. To make
 * a file in a directory, an overlay copies the directory, with its owner, and an ordinary user's
 * container does not have that owner. So the tree's directories are made anew, empty, in a layer
 * between: what is in them still comes from the tree. So are FIFOs, which have no content, and whose
 * two ends must be one file even when only one of them may be opened.
 */
#ifndef STET_BOX_OWN_DIRECTORIES_H
#define STET_BOX_OWN_DIRECTORIES_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/error.h"

/* Are they needed: does it belong to somebody whom the container does not have? */
bool own_directories_needed(const struct stat *root);
/* Those below `from` are made below `to`, which exists. What may not be read stays as it is. */
int own_directories_make(const char *from, const char *to, struct error *err);

#endif
