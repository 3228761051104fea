/* What is in an archive or a compressed file beyond what readers of the format look at. */
#ifndef STET_DIFF_REST_H
#define STET_DIFF_REST_H

#include "diff/compare.h"

/*
 * What follows the end: zeros are padding, other bytes become a child, of whatever format. Paddings
 * of archives that differ in size follow from that, and are told only when nothing else was.
 */
int rest_compare(struct diff *diff, struct node *node, const struct pair *pair, bool same_end,
	struct error *err);

/* To be asked at last: bytes that differ where nothing was found are still told. */
int rest_say_unknown(struct node *node, const struct pair *pair, enum level level);

#endif
