/*
 * The digest of a run: over its exit status, its output, and the final files. What goes into it,
 * and how it could be computed by other means, is in doc/digest.md.
 */
#ifndef STET_BOX_DIGEST_H
#define STET_BOX_DIGEST_H

#include <stdbool.h>
#include <sys/stat.h>

#include "arena/layout.h"
#include "box/box.h"
#include "box/changes.h"
#include "base/hash.h"
#include "box/relay.h"

/* Files of Stet's own that may lie in a mount, and are nothing that the run made. */
#define DIGEST_OWN 12
struct digest_own {
	struct {
		dev_t device;
		ino_t inode;
	} files[DIGEST_OWN];
	size_t count;
};

/* Adds what the descriptor leads to, if that is a file or directory. */
void digest_own_add(struct digest_own *own, int fd);
/* The same by its path; NULL is nothing. */
void digest_own_add_path(struct digest_own *own, const char *path);

bool digest_own_has(const struct digest_own *own, const struct stat *status);

/* What the walk over the files needs to know. */
struct digest_files {
	const struct changes *changes;
	const struct digest_own *own;
	const struct arena *arena;
	const struct box_config *config;
};

/*
 * Of all files in `rw` mounts, and of what the run changed elsewhere. In init, when no other
 * process is left in the container. The list of them goes to `list`, unless that is -1.
 */
int digest_of_files(
	const struct digest_files *files, char text[HASH_TEXT], int list, struct error *err);

/* All together. `files` is what digest_of_files gave. */
void digest_of_run(
	int status, const struct relay_result *output, const char *files, char text[HASH_TEXT]);

#endif
