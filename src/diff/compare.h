/* The work in progress, and what formats use of it. */
#ifndef STET_DIFF_COMPARE_H
#define STET_DIFF_COMPARE_H

#include "diff/blob.h"
#include "diff/diff.h"

struct diff {
	const struct diff_options *options;
	struct budget budget; /* for what is unpacked */
	unsigned depth;	      /* of the object that is looked at */
	uint64_t done;	      /* bytes of files that were compared */
	char *path;	      /* to it, into the nest: "a.deb > data.tar.xz > ./usr/bin/x" */
};

/* Two objects of the same place. */
struct pair {
	struct blob a, b;
};

/*
 * How a format compares. The node is new; what differs is said of it, and parts become its children.
 * COMPARED: done. NOT_THIS: one of the two is not of this format after all (damaged, encrypted, a
 * newer version): nothing was said yet, and the next format is asked; the last is plain bytes.
 * COMPARE_FAILED: with err: no memory, a limit, a file that changed.
 */
enum compared { COMPARED, NOT_THIS, COMPARE_FAILED };
typedef enum compared compare_function(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err);

/* Compares two parts, by whatever format they are, as a child `name` of `parent`. */
int compare_part(struct diff *diff, struct node *parent, const char *name, const struct pair *pair,
	struct error *err);
/* The same where the format is known; NULL finds it. The node is what was found, not yet a child. */
struct node *compare_pair(struct diff *diff, const char *name, const struct pair *pair,
	compare_function *how, const char *format, struct error *err);

/* As plain bytes, with the reason why it is not looked into. */
enum compared compare_as_bytes(struct diff *diff, struct node *node, const struct pair *pair,
	const char *why, struct error *err);

/* Is the object `name`, below the present one, to be ignored? */
bool compare_ignores(const struct diff *diff, const char *name);

#endif
