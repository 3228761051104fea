/*
 * What all archives have in common: members are listed with their places, facts are read and bytes
 * unpacked only for two that are compared, and what is behind the end is compared too.
 */
#ifndef STET_DIFF_ARCHIVE_H
#define STET_DIFF_ARCHIVE_H

#include "diff/members.h"
#include "diff/span.h"

/* One side. */
struct archive_side {
	struct diff *diff;
	const struct blob *blob;
	struct members members;
	uint64_t end;	      /* where the rest starts, which is no part of it */
	struct blob unpacked; /* what all of it was unpacked to, where that is done at once */
	void *own;	      /* the format's, freed with it */
};

struct archive_kind {
	/* What it means when only bytes differ that belong to no member. */
	enum level outside;
	/* Lists the members; NOT_THIS where it is damaged. */
	enum compared (*list)(struct archive_side *archive, struct error *err);
	/* Adds facts to two members of one name; may find that their bytes are the same. NULL where
	 * `list` did. */
	int (*facts)(const struct archive_side sides[2], struct member *a, struct member *b);
	/* Gives a member its blob; NULL where `list` did. */
	int (*load)(const struct archive_side *archive, struct member *member, struct error *err);
	/* Says what the archives as such have in another way; NULL: nothing. */
	int (*say)(const struct archive_side sides[2], struct node *node, struct error *err);
};

enum compared archive_compare(struct diff *diff, struct node *node, const struct pair *pair,
	const struct archive_kind *kind, struct error *err);

/* A new member, or NULL with err. */
struct member *archive_add(struct archive_side *archive, struct span name, struct error *err);
/* A name without the slashes at its end, that archives give to directories. */
struct span archive_trim(struct span name);
/* The last part of a member's name, by which formats may know it. */
const char *archive_last_name(const struct member *member);

#endif
