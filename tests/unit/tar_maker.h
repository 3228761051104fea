/*
 * Tars for tests, header by header, so that they can have everything that no tar program writes; and
 * a fresh directory to unpack them in.
 */
#ifndef STET_TESTS_TAR_MAKER_H
#define STET_TESTS_TAR_MAKER_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/cleanup.h"
#include "image/unpack.h"

/* What a header says; of what is not given, what is usual. */
struct tar_entry {
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

struct tar {
	FILE *stream;
	char *data;
	size_t size;
};

void tar_start(struct tar *tar);
void tar_add(struct tar *tar, struct tar_entry entry);
void tar_add_bytes(struct tar *tar, const void *data, size_t size);
void tar_end(struct tar *tar);	/* with the mark of the end */
void tar_stop(struct tar *tar); /* without it */
void tar_release(struct tar *tar);

/* A directory of a test's own, with "root" in it, and nothing else. */
struct place {
	char path[64];
	int top, root;
	struct owners owners;
	struct error err;
	uint64_t limit;
	bool layer, keep_owners;
};

void place_make(struct place *place);
/* Also makes sure that nothing has come to lie beside the root. */
void place_remove(struct place *place);
int place_unpack(struct place *place, const void *data, size_t size);
/* Unpacks it, and releases it. */
int place_unpack_tar(struct place *place, struct tar *tar);

/* Runs all tests of `run` as the caller, and if that is root, once more as an ordinary user. */
int run_as_both(int (*run)(void));

#endif
