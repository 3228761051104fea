/* Files with several names, remembered by their first, so that copies are linked as well. */
#ifndef STET_BOX_LINKS_H
#define STET_BOX_LINKS_H

#include <stddef.h>
#include <sys/stat.h>

struct links {
	struct link_name {
		dev_t device;
		ino_t inode;
		char *path;
	} * items;
	size_t count;
};

/* The path under which this file was added, or NULL. */
const char *links_find(const struct links *links, const struct stat *status);

/* Remembers a file, if it has more names than one. -1 without memory. */
int links_add(struct links *links, const struct stat *status, const char *path);

void links_release(struct links *links);

#endif
