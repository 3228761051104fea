/*
 * What Stet itself put into the container's root: overlays and their upper directories,
 * directories, copied files, mount points. Saving the changes of a run needs it, to tell them from
 * Stet's own.
 */
#ifndef STET_BOX_RECORD_H
#define STET_BOX_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

enum placed_kind {
	PLACED_OVERLAY,	  /* changes are in upper directory number `upper` */
	PLACED_DIRECTORY, /* changes are in the directory itself */
	PLACED_FILE,	  /* a copied file or link; changed when inode or ctime differ */
	PLACED_MOUNT,	  /* something else was mounted here: not part of the changes */
	PLACED_POINT,	  /* a directory made on the way to a mount point */
};

struct placed {
	enum placed_kind kind;
	char *path;  /* inside the container */
	char *host;  /* what it shows of the host: the directory below an overlay, ...; or NULL */
	bool fresh;  /* of files and directories: it shows nothing of the host (fresh.h) */
	mode_t mode; /* that it has in place of what it shows; 0: the same */
	unsigned mount; /* it is the root of this mount, counted from 1; 0: of none */
	int tree; /* of `rw` mounts, when --digest needs it: what is mounted (O_PATH); else -1 */
	unsigned upper;
	ino_t inode;
	struct timespec ctime;
};

struct record {
	struct placed *items;
	size_t count, room;
	unsigned uppers; /* how many upper directories are in use */
};

/* Adds an item and returns it, or NULL without memory. It is valid until the next addition. */
struct placed *record_add(struct record *record, enum placed_kind kind, const char *path);

/* The same, of something that shows what the host has at `host`. */
struct placed *record_shown(
	struct record *record, enum placed_kind kind, const char *path, const char *host);

/* The last item added for `path`, or NULL. */
struct placed *record_find(const struct record *record, const char *path);

void record_release(struct record *record);

/* Whether `path` lies in something that was mounted, so that what is there is the host's. */
bool record_is_mounted(const struct record *record, const char *path);

/* Whether an item lies strictly below `path`. */
bool record_below(const struct record *record, const char *path);

#endif
