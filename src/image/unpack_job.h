/* The parts of unpacking one archive, between each other: see unpack.h for what they do together. */
#ifndef STET_IMAGE_UNPACK_JOB_H
#define STET_IMAGE_UNPACK_JOB_H

#include "image/entry_path.h"
#include "image/folders.h"
#include "image/tar_stream.h"
#include "image/unpack.h"

struct archive_entry;

struct unpack_job {
	struct unpack *unpack;
	struct tar_stream stream;
	struct folders folders;
	struct names own; /* of a layer: paths that it has put there itself, and all above them */
};

/* The entry that it is about. */
struct unpack_entry {
	struct unpack_job *job;
	struct archive_entry *entry;
	const char *name;		       /* as the archive has it, for messages */
	char path[PATH_MAX], parent[PATH_MAX]; /* "" for the root */
	const char *base;		       /* last part of the path */
	int dir;			       /* the parent, once it is open */
};

/* "ARCHIVE: the entry NAME WHAT[: strerror(cause)]" */
int unpack_entry_fail(
	const struct unpack_entry *entry, int cause, const char *what, struct error *err);
/* Opens the directory that it lies in. */
int unpack_entry_open_parent(struct unpack_entry *entry, bool make, struct error *err);
/* Removes what is at its place, whatever it is. */
int unpack_entry_clear(struct unpack_entry *entry, struct error *err);
/* Takes these bytes from those that are left. */
int unpack_entry_charge(const struct unpack_entry *entry, uint64_t bytes, struct error *err);

/* unpack_make.c: puts the entry to its place. */
int unpack_make(struct unpack_entry *entry, struct error *err);
/* unpack_attributes.c: owner, and then what chown would take away again. The file is at fd, or, where
 * that is -1, at the entry's place; of directories mode and times come at the end. */
int unpack_attributes(struct unpack_entry *entry, int fd, struct error *err);
/* Of another name of a file that is there: the owner is that of the file. */
int unpack_owner_of_link(struct unpack_entry *entry, const char *target, struct error *err);

/* whiteouts.c: entries of layers that stand for deletions. */
bool whiteout_is(const struct unpack_entry *entry);
int whiteout_do(struct unpack_entry *entry, struct error *err);
/* Notes that the layer has put this path there itself. */
int whiteout_own(struct unpack_job *job, const char *path);

#endif
