/* Files with several names, remembered by their first, so that copies are linked as well. */
#ifndef STET_BOX_LINKS_H
#define STET_BOX_LINKS_H

#include <sys/stat.h>

/* Zeroed at first. */
struct links {
	void *tree; /* of tsearch */
};

/* The path under which this file was added, or NULL. */
const char *links_find(const struct links *links, const struct stat *status);

/* Remembers a file, if it has more names than one. -1 without memory. */
int links_add(struct links *links, const struct stat *status, const char *path);

void links_release(struct links *links);

#endif
