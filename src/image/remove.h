/*
 * Removes a file, or a directory with all that is in it, however deep, without following links, and
 * whatever the modes of its directories are, as long as they belong to the caller. Uses base only.
 */
#ifndef STET_IMAGE_REMOVE_H
#define STET_IMAGE_REMOVE_H

/* `name` is in the directory `dir`. -1 and errno when something could not be removed; ENOENT when it
 * is not there. */
int remove_tree(int dir, const char *name);

#endif
