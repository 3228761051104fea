/* Tars for tests, header by header, so that they can have everything that no tar program writes. */
#ifndef STET_TESTS_TAR_MAKER_H
#define STET_TESTS_TAR_MAKER_H

#include <stdint.h>
#include <stdio.h>

/* What a header says; of what is not given, what is usual. */
struct maker_entry {
	const char *name;
	char type;	  /* '0' */
	const char *link; /* "" */
	const char *content;
	uint64_t size; /* of the content, unless the header is to say something else */
	unsigned mode; /* 0644 */
	unsigned uid, gid;
	uint64_t mtime;
	const char *magic; /* 8 bytes, of ustar unless given */
	const char *pax;   /* records "KEY=VALUE\n" of a pax header before it, or NULL */
};

struct maker {
	FILE *stream;
	char *data;
	size_t size;
};

void maker_start(struct maker *tar);
void maker_add(struct maker *tar, struct maker_entry entry);
void maker_add_bytes(struct maker *tar, const void *data, size_t size);
void maker_end(struct maker *tar); /* with the mark of the end */
void maker_release(struct maker *tar);

#endif
