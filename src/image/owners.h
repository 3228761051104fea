/*
 * Who owns the files of an image, where the file system cannot say it: an ordinary user's files all
 * belong to the user. A list of those that do not belong to 0:0, in a file next to the unpacked
 * files: per entry "UID:GID PATH" and a NUL byte; PATH is absolute inside the image. Each name of a
 * file that has several has its own entry.
 */
#ifndef STET_IMAGE_OWNERS_H
#define STET_IMAGE_OWNERS_H

#include <sys/types.h>

#include "base/error.h"
#include "image/names.h"

struct owner {
	const char *path; /* belongs to `names` */
	uid_t uid;
	gid_t gid;
};

/* Zeroed at first. */
struct owners {
	struct owner
		*list; /* sorted by path when read from a file; may have some of 0:0 otherwise */
	size_t count, room;
	struct names names; /* by path, with the number in the list */
};

/* Of a path that is there already, the owner changes. */
int owners_add(struct owners *owners, const char *path, uid_t uid, gid_t gid, struct error *err);
/* NULL: it belongs to 0:0. Valid until the next one is added. */
const struct owner *owners_find(const struct owners *owners, const char *path);
/* The path is gone; if it was a directory, so is all below it. */
void owners_forget(struct owners *owners, const char *path);
void owners_forget_below(struct owners *owners, const char *path);
/* Writes the list, sorted by path; reads what was written. */
int owners_write(struct owners *owners, int fd, struct error *err);
int owners_read(struct owners *owners, const char *file, struct error *err);
void owners_release(struct owners *owners);

#endif
