/* A set of names, each with a number that its owner gives it: for paths that are looked up often. */
#ifndef STET_IMAGE_NAMES_H
#define STET_IMAGE_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct name {
	char *text; /* NULL: a free place */
	uint64_t hash;
	size_t number;
};

/* Zeroed at first. */
struct names {
	struct name *places;
	size_t count, room;
};

/* NULL: it is not there. Valid until the next name is added. */
struct name *names_find(const struct names *names, const char *text);
/* The one that is there, or a copy of `text` with `number`; NULL: no memory. */
struct name *names_add(struct names *names, const char *text, size_t number);
void names_release(struct names *names);

#endif
