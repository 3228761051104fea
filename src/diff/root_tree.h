/*
 * TTree, whose payload tells where its baskets are and how many bytes they have when packed: that
 * differs in two files with the same data in another compression. The members that tell it are found
 * by the descriptions of classes that the file itself has. Uses root_file, root_payload,
 * root_streamers.
 */
#ifndef STET_DIFF_ROOT_TREE_H
#define STET_DIFF_ROOT_TREE_H

#include "diff/compare.h"
#include "diff/root_file.h"
#include "diff/root_payload.h"
#include "diff/root_streamers.h"

/* The descriptions of one file, read when they are needed first. */
struct root_descriptions {
	bool looked_for, found;
	struct root_payload payload;
	struct root_streamers streamers;
};
void root_descriptions_release(struct root_descriptions *descriptions, struct budget *budget);

/* One of two files: its records are matched. */
struct root_side {
	struct root_file file;
	struct root_descriptions descriptions;
};

/* What two payloads of the same size that are not the same differ in. */
enum root_tree {
	TREE_OTHER,   /* data, or something that cannot be told */
	TREE_PLACES,  /* places and sizes of baskets, and baskets at the same index are mates */
	TREE_BASKETS, /* the same, but the baskets come in another order */
};

bool root_tree_is(const struct root_key *key);
/* -1 without memory. */
int root_tree_compare(struct root_side *a, struct root_side *b, const struct root_record *record,
	const struct pair *payloads, struct budget *budget, enum root_tree *result);

#endif
