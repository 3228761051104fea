/*
 * Formats that are lists of parts, which a function takes apart: both are listed, then compared by
 * members_compare. A format has to say what is left when all parts are equal and the bytes are not.
 */
#ifndef STET_DIFF_LISTED_H
#define STET_DIFF_LISTED_H

#include "diff/members.h"

/* Lists the parts of one. COMPARED: all of them; the others as in compare.h. */
typedef enum compared list_function(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err);

/* What differs if no part does: bookkeeping, in words, and its cause or NULL. */
struct remainder {
	const char *what;
	const char *cause;
};

enum compared listed_compare(struct diff *diff, struct node *node, const struct pair *pair,
	list_function *list, const struct remainder *remainder, struct error *err);

/* A part with bytes of the object, or without any; NULL with err. */
struct member *listed_add(struct members *members, const struct diff *diff, const char *name,
	const struct blob *bytes, struct error *err);

/*
 * Parts whose bytes are made, not found: all of an object are in one blob, as each mapping of its own
 * would count against the kernel's limit. The object's first part has no bytes, and owns that blob.
 */
struct listed_texts {
	struct diff *diff;
	struct members *members;
	struct blob_writer writer;
	struct text_place {
		size_t member;
		uint64_t start;
	} * list;
	size_t count, room;
};

void listed_texts_start(struct listed_texts *texts, struct diff *diff, struct members *members);
/* A new part: its bytes are what is written to the writer until the next part; NULL with err. */
struct member *listed_texts_add(struct listed_texts *texts, const char *name, struct error *err);
/* The same for the last part that was added without bytes; -1 with err. */
int listed_texts_begin(struct listed_texts *texts, struct error *err);
/* Gives the parts their bytes if all was done, else forgets them; says whether it was. */
enum compared listed_texts_end(struct listed_texts *texts, enum compared done, struct error *err);

#endif
