/*
 * What a run changed in directories of the host that it can write to, so that it can be started
 * again: one record after the other, in the order of events, behind the rings in the arena's file.
 * Guests append in their turns; the supervisor reads when all is over, and believes nothing that it
 * has not checked. Layout only.
 */
#ifndef STET_ARENA_UNDO_H
#define STET_ARENA_UNDO_H

#include <stdint.h>

enum undo_kind {
	UNDO_MADE = 1, /* `path` came */
	UNDO_MOVED,    /* `path` became `other` */
	UNDO_TAKEN,    /* `path` went; `other` is where it led, when it was a link */
	UNDO_WRITTEN,  /* the content of `path` may have changed */
	UNDO_SET,      /* its attributes may have */
};

enum undo_flags {
	UNDO_OF_RUN = 1u << 0, /* the file was made in the run: it may have gone without a record */
};

/* Followed by path and other, both with their ends, and the content; the next begins at a multiple
 * of 8. Paths are those inside, without symbolic links. */
struct undo_record {
	uint64_t bytes; /* of all */
	uint32_t kind, flags;
	uint32_t path_bytes, other_bytes;
	uint64_t content_bytes;
	uint64_t device, inode; /* of the file */
	uint32_t mode, uid, gid, pad;
	int64_t times[2][2]; /* access and modification: seconds, ns */
};

#define UNDO_BYTES (512ull << 20) /* more is not kept: the run starts again in strict order */

#endif
