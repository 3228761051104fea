/*
 * What all archives have in common: members are listed with their places, facts are read and bytes
 * unpacked only for two that are compared, and what is behind the end is compared too.
 */
#ifndef STET_DIFF_ARCHIVE_H
#define STET_DIFF_ARCHIVE_H

#include "diff/members.h"
#include "diff/span.h"

/* One side. */
struct archive {
	struct diff *diff;
	const struct blob *blob;
	struct members members;
	uint64_t end;	      /* where the rest starts, which is no part of it */
	struct blob unpacked; /* what all of it was unpacked to, where that is done at once */
	uint64_t own;	      /* the format's: where it has what `say` needs */
};

struct archive_kind {
	/* Lists the members; NOT_THIS where it is damaged. */
	enum compared (*list)(struct archive *archive, struct error *err);
	/* Adds facts to two members of one name; may find that their bytes are the same. */
	int (*facts)(const struct archive sides[2], struct member *a, struct member *b);
	/* Gives a member its blob; NULL where `list` did. */
	int (*load)(const struct archive *archive, struct member *member, struct error *err);
	/* Says what the archives as such have in another way; NULL: nothing. */
	int (*say)(const struct archive sides[2], struct node *node, struct error *err);
};

enum compared archive_compare(struct diff *diff, struct node *node, const struct pair *pair,
	const struct archive_kind *kind, struct error *err);

/* A new member, or NULL with err. */
struct member *archive_add(struct archive *archive, struct span name, struct error *err);
/* A name without the slashes at its end, that archives give to directories. */
struct span archive_trim(struct span name);
/* The last part of a member's name, by which formats may know it. */
const char *archive_last_name(const struct member *member);

#endif
