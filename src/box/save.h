/*
 * Writes what a run created or changed as a tree: files with their modes, times, owners and links.
 * What it deleted is listed in SAVE_DELETIONS, one path per line; a directory that was replaced is
 * listed too. Who deletes the listed paths and then copies the tree gets the final state. Files in
 * `rw` mounts, /proc, /sys and /dev are no part of it. Sockets are left out.
 */
#ifndef STET_BOX_SAVE_H
#define STET_BOX_SAVE_H

#include "base/error.h"
#include "arena/layout.h"
#include "box/record.h"

#define SAVE_DELETIONS ".stet-deletions"

/* How init sees the layers after it has entered the container's root. */
struct save_source {
	struct record record;
	int stage; /* the stage's own root directory */
	int layer; /* STAGE_LAYER */
	int host;  /* STAGE_HOST */
	const struct arena *arena;
};

/* Opens the sources; to be called on the stage, when the root is complete. */
int save_prepare(struct save_source *source, const struct record *record, const struct arena *arena,
	struct error *err);

/* Writes everything into the directory `target`. No other process may run in the container. */
int save_write(const struct save_source *source, int target, struct error *err);

/* Opens the empty directory `path`, made when it is missing; -1 with err when it has files. */
int save_open(const char *path, struct error *err);

#endif
