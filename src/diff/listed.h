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

#endif
