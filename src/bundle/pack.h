/*
 * Writes a bundle: first, when the command has ended and nothing is written back yet, the contents
 * of the files that it looked at, into a file without a name; then, when the result is known, the
 * index and behind it these contents, under the bundle's name. The same files and the same result
 * give the same bytes. Uses box's looks.
 */
#ifndef STET_BUNDLE_PACK_H
#define STET_BUNDLE_PACK_H

#include <sys/stat.h>
#include <time.h>

#include "base/new_file.h"
#include "box/looks.h"
#include "bundle/index.h"

struct frames;

/* Zeroed at first, apart from what the caller knows. */
struct packing {
	const char *name;	   /* of the bundle */
	const char *cache;	   /* directory of compressed contents, or NULL */
	struct bundle_index index; /* files and missing are filled here, the rest by the caller */
	bool keep_times;	   /* the command could see the times of its files */
	struct timespec start;	   /* of the run: who was changed later was so by somebody else */
	/* Whom the command saw as the owner of a file of the host's; sets uid and gid. */
	void (*owner)(void *context, struct bundle_file *file, const struct stat *status);
	void *owner_context;
	struct new_file file;
	int spool; /* contents, until the index is known */
	struct frames *frames;
	uint64_t content_bytes; /* of what was read */
	size_t content_count;
};

/* Before the run, so that a place that cannot be written to is known then. */
int packing_begin(struct packing *packing, struct error *err);
/* Adds bytes of a descriptor, from its start: the input before the files, the entropy behind them. */
int packing_add_bytes(struct packing *packing, const char *member, int fd,
	struct bundle_bytes *bytes, struct error *err);
/* Adds what the run looked at. */
int packing_add_looks(struct packing *packing, const struct looks *looks, struct error *err);
/* Writes the bundle, of which the index is complete now; answers its size. */
int packing_finish(struct packing *packing, uint64_t *bytes, struct error *err);
void packing_release(struct packing *packing);

/* For pack_files.c: a member with the content of fd. */
int packing_add_member(struct packing *packing, const char *member, mode_t mode, int fd,
	char hash[HASH_TEXT], struct error *err);

#endif
