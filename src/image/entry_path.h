/* Names in archives: the one way in which they can be used, and those that cannot be. */
#ifndef STET_IMAGE_ENTRY_PATH_H
#define STET_IMAGE_ENTRY_PATH_H

#include <limits.h>

/*
 * Writes the name to `path` as parts with one slash between them, "" for the root itself. Returns
 * NULL, or what is wrong with it, to be read behind the name: "leads out of the image".
 */
const char *entry_path(const char *name, char path[PATH_MAX]);

/* Splits the path at its last slash: gives the last part, and puts what is before it, maybe "", into
 * `parent`. */
const char *entry_path_split(const char *path, char parent[PATH_MAX]);

#endif
