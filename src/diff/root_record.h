/* Compares one record of a ROOT file with its mate in another. */
#ifndef STET_DIFF_ROOT_RECORD_H
#define STET_DIFF_ROOT_RECORD_H

#include "diff/compare.h"
#include "diff/root_tree.h"

struct root_pair {
	struct root_side a, b;
};

/* As a child of `parent`, or only counted there. `a` has a mate. -1 with err. */
int root_record_compare(struct diff *diff, struct node *parent, struct root_pair *files,
	const struct root_record *a, struct error *err);

#endif
