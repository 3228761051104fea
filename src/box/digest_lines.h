/*
 * The final files as lines of text, a line each, from which the digest of the files is computed.
 * What a line says is in doc/digest.md.
 */
#ifndef STET_BOX_DIGEST_LINES_H
#define STET_BOX_DIGEST_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "arena/layout.h"
#include "base/error.h"
#include "base/hash.h"
#include "box/box.h"

/* Zeroed at first, apart from `relax`. */
struct digest_lines {
	uint32_t relax; /* enum relax: what is not the same in each run is left out */
	char **lines;
	size_t count, room;
};

/* One file, and where it is found. */
struct digest_object {
	const char *path; /* inside */
	int dir;	  /* and the name there; without a name, the object itself (O_PATH) */
	const char *name;
	const struct stat *status;
	const struct inode *inode; /* as the container knows it, or NULL */
	uid_t uid;		   /* unless the container set it */
	gid_t gid;
	enum box_deed deed; /* of the run */
};

int digest_lines_add(
	struct digest_lines *all, const struct digest_object *object, struct error *err);
int digest_lines_add_deletion(struct digest_lines *all, const char *path, struct error *err);
/* The hash of all lines in order. These go, each behind its letter, to the file `list` unless that
 * is -1. Frees them. */
int digest_lines_finish(
	struct digest_lines *all, char text[HASH_TEXT], int list, struct error *err);

#endif
