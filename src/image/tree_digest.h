/*
 * The digest of a root file system: SHA-256 over names, types, modes, owners, contents, links and
 * extended attributes; not over times and inode numbers, nor the root directory itself. What goes
 * into it is in doc/images.md. The same files have the same digest as a directory, a tar and an OCI
 * image.
 */
#ifndef STET_IMAGE_TREE_DIGEST_H
#define STET_IMAGE_TREE_DIGEST_H

#include "base/hash.h"
#include "image/owners.h"
#include "image/tree_walk.h"

/*
 * Of the files below `root`. Owners are those of the list, 0:0 for files that it does not have; with
 * NULL they are the files' own, and the calling user's are 0:0. Files with a list are taken for
 * files of the cache: those that their owner may not read have another mode for a moment. Others
 * are never touched; one that cannot be read is an error.
 */
int tree_digest(int root, const struct owners *owners, char text[HASH_TEXT], struct error *err);

/* Of a directory of the user's: whoever owns the files, 0:0 does. They are never touched, and what is
 * to be skipped is no part of it. */
int tree_digest_input(
	int root, const struct tree_skip *skip, char text[HASH_TEXT], struct error *err);

#endif
