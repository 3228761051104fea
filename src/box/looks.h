/*
 * What a run looked at of its initial files: the names that its guests kept (arena/looks.h), sorted,
 * and where each of them came from on the host. Uses arena and base.
 */
#ifndef STET_BOX_LOOKS_H
#define STET_BOX_LOOKS_H

#include <sys/types.h>

#include "arena/looks.h"
#include "box/box.h"
#include "box/record.h"

/* What was there when the run began. */
enum looked_source {
	LOOKED_NOTHING,
	LOOKED_HOST,	  /* what the host has at `host`, if anything; no link leads there */
	LOOKED_DIRECTORY, /* one that Stet made, with this mode */
	LOOKED_TEXT,	  /* a file that Stet wrote */
};

struct looked {
	char *path;	/* inside, without links on the way */
	uint32_t kinds; /* enum look_kind; 0: it is only among the names of a listed directory */
	enum looked_source source;
	char *host;
	mode_t mode; /* of a file of the host's, in place of its own, if it is not 0 */
	char *text;
};

struct looks {
	struct looked *list; /* sorted by path, each once */
	size_t count;
	char **plain;  /* directories that are no overlays, NULL-terminated (box_config.plain) */
	char **places; /* of the mounts, in their order, without links */
};

/* In init: the layout of the root, in a file for the supervisor. -1 with err. */
int looks_layout(const struct record *record, struct error *err);

/* Calls the observer of `config`. `arena_fd` is the arena's file, `layout` the one from above. */
int looks_tell(const struct box_config *config, int arena_fd, int layout, struct error *err);

/* What was laid out, read back; to be released with record_release. */
int looks_read_layout(int fd, struct record *record, struct error *err);

#endif
