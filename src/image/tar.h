/*
 * Writes a tar whose bytes depend on the files only: ustar headers, and pax headers for what these
 * cannot say. Their form is doc/saving.md's, not a library's of some version. Of the compressions
 * that is true as far as their libraries keep to it.
 */
#ifndef STET_IMAGE_TAR_H
#define STET_IMAGE_TAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/attributes.h"
#include "base/error.h"

enum tar_type {
	TAR_FILE = '0',
	TAR_HARD_LINK = '1',
	TAR_SYMBOLIC_LINK = '2',
	TAR_DIRECTORY = '5',
	TAR_FIFO = '6',
};

struct tar_entry {
	enum tar_type type;
	const char *path;   /* without a slash at either end */
	const char *target; /* of links */
	mode_t mode;
	uid_t uid;
	gid_t gid;
	int64_t mtime; /* seconds */
	uint64_t size; /* of what comes by tar_data */
	const struct attribute *attributes;
	size_t attribute_count;
};

struct tar;

/* The suffix that says that it is a tar: .tar, .tar.gz or .tar.zst; NULL: it has none of them. */
const char *tar_suffix(const char *name);

/* Opens one that is written to `fd`, compressed as `name` says. NULL with err. */
struct tar *tar_open(const char *name, int fd, struct error *err);
int tar_add(struct tar *tar, const struct tar_entry *entry, struct error *err);
/* The content of the entry, in pieces. */
int tar_data(struct tar *tar, const void *data, size_t bytes, struct error *err);
/* Ends it, and says whether all of it could be written. */
int tar_finish(struct tar *tar, struct error *err);
void tar_release(struct tar *tar);

#endif
