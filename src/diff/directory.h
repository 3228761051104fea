/*
 * Two directories with all that is below them: matched by their names, in one walk through both.
 * Symbolic links are never followed. Times of files are only compared when that is asked for, and
 * attributes of the two directories themselves never.
 */
#ifndef STET_DIFF_DIRECTORY_H
#define STET_DIFF_DIRECTORY_H

#include "diff/compare.h"

/* Takes neither descriptor. */
int directory_compare(struct diff *diff, struct node *node, const int fds[2], struct error *err);

#endif
