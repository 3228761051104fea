/* The extended attributes of a file that are the program's own: user.*, sorted by name, without
 * those that overlays keep there. */
#ifndef STET_BASE_ATTRIBUTES_H
#define STET_BASE_ATTRIBUTES_H

#include <stddef.h>

struct attribute {
	const char *name;
	const void *value;
	size_t bytes;
};

struct attributes {
	struct attribute *list;
	size_t count;
	char *names;
};

/* What cannot be read is not there. -1 without memory; to be released in any case. */
int attributes_read(int fd, struct attributes *attributes);
/* Gives them to another file, as far as it takes them. */
void attributes_give(const struct attributes *attributes, int fd);
void attributes_release(struct attributes *attributes);

#endif
