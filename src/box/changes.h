/*
 * Walks over what a run created, changed or deleted in the private layer. Files in `ro` and `rw`
 * mounts, /proc, /sys and /dev are no part of that, nor are places that Stet itself made for
 * mounts.
 */
#ifndef STET_BOX_CHANGES_H
#define STET_BOX_CHANGES_H

#include <sys/stat.h>

#include "arena/layout.h"
#include "base/error.h"
#include "box/record.h"

/* How init sees the layers after it has entered the container's root. */
struct changes {
	struct record record;
	int stage; /* the stage's own root directory */
	int layer; /* STAGE_LAYER */
	int host;  /* STAGE_HOST */
	const struct arena *arena;
};

/* A file or directory as the walk comes by. */
struct change {
	const char *path;  /* inside the container */
	int dir;	   /* the directory where it is found now, under this name; */
	const char *name;  /* for a directory that is entered, dir is that itself, or -1 */
	const char *lower; /* what was there at the start, a path of the host; NULL: nothing */
	const struct stat *status;
	bool own;  /* of directories: not only there because of Stet, or of what is below */
	bool anew; /* of directories: another one was there at the start, and is deleted */
};

/* Functions answer 0, or -1 with err. */
struct changes_visitor {
	void *context;
	/* What comes between these lies in the directory. */
	int (*enter)(void *context, const struct change *directory, struct error *err);
	int (*leave)(void *context, const struct change *directory, struct error *err);
	int (*file)(void *context, const struct change *file, struct error *err);
	/* Gone, or replaced by something that comes later or came before. */
	int (*deleted)(void *context, const char *path, struct error *err);
};

/* Opens the sources; to be called on the stage, when the root is complete. */
int changes_prepare(struct changes *changes, const struct record *record, const struct arena *arena,
	struct error *err);

/* No other process may run in the container. */
int changes_walk(
	const struct changes *changes, const struct changes_visitor *visitor, struct error *err);

/* What the host has at `lower`; -1 when it has nothing there. */
int changes_before(const struct changes *changes, const char *lower, struct stat *status);

#endif
