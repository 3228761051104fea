/*
 * Who owns the files of an image, where the file system cannot say it: an ordinary user's files all
 * belong to the user. A list of those that do not belong to 0:0, in a file next to the unpacked
 * files: per entry "UID:GID PATH" and a NUL byte; PATH is absolute inside the image.
 */
#ifndef STET_IMAGE_OWNERS_H
#define STET_IMAGE_OWNERS_H

#include <sys/types.h>

#include "base/error.h"

struct owner {
	char *path;
	uid_t uid;
	gid_t gid;
};

/* Zeroed at first. */
struct owners {
	struct owner *list; /* sorted by path when read from a file */
	size_t count, room;
};

int owners_add(struct owners *owners, const char *path, uid_t uid, gid_t gid, struct error *err);
/* Writes the last entry of each path, sorted; reads what was written. */
int owners_write(struct owners *owners, int fd, struct error *err);
int owners_read(struct owners *owners, const char *file, struct error *err);
void owners_release(struct owners *owners);

#endif
