/*
 * Things that are made of named members: directories, archives, libraries, images of file systems.
 * The format lists the members of both; here they are matched by their names, in whatever order, and
 * compared.
 */
#ifndef STET_DIFF_MEMBERS_H
#define STET_DIFF_MEMBERS_H

#include "diff/compare.h"

/* A fact about a member that is not in its bytes: mode, owner, time, link target. */
struct fact {
	const char *name; /* a constant: "mode" */
	char *value;
	enum level level; /* what a difference makes of the member */
	const char *cause;
};

struct member {
	char *name;
	struct fact *facts;
	size_t fact_count;
	bool has_bytes;	 /* a file */
	bool same_bytes; /* known to be those of the other, if there are any: they are not loaded */
	struct blob blob;
	uint64_t order;	    /* its place */
	uint64_t at;	    /* the format's own, for `facts` and `load` */
	const char *packed; /* why it is compared as it is packed, or NULL */
	bool unpacked;	    /* the blob was written by blob_write */
};

/* Zeroed at first. */
struct members {
	struct member *list;
	size_t count, room;
};

/* A new member at the end; NULL without memory or beyond the limit, with err. The name is copied. */
struct member *members_add(
	struct members *members, const struct diff *diff, const char *name, struct error *err);
/* The value is formatted; -1 without memory. At most a few dozen: they are looked for one by one. */
int member_fact(struct member *member, const char *name, enum level level, const char *cause,
	const char *format, ...) __attribute__((format(printf, 5, 6)));
bool members_have_same_facts(const struct member *a, const struct member *b);
void members_release(struct diff *diff, struct members *members);

/*
 * Compares both lists, as children of `node`: members of one side only, facts, bytes, and whether
 * the order differs (which leaves the content equal). Members of one name several times are matched
 * in their order. `load`, if not NULL, is called for a pair with bytes before it is compared, to
 * fill its blobs, and `drop` after it: so that not all are in memory at once. For the same reason
 * facts may be added by `facts`, if not NULL, before that; they are freed after it.
 */
struct members_loader {
	void *context;
	int (*facts)(void *context, struct member *a, struct member *b, struct error *err);
	int (*load)(void *context, struct member *member, int side, struct error *err);
	void (*drop)(void *context, struct member *member, int side);
};
int members_compare(struct diff *diff, struct node *node, struct members *a, struct members *b,
	const struct members_loader *loader, struct error *err);

#endif
