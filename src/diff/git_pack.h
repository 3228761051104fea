/*
 * Packs of git, by objects: the same objects in another order, with other deltas or another
 * compression are the same content. Packs that lack bases of their deltas are left to plain bytes.
 */
#ifndef STET_DIFF_GIT_PACK_H
#define STET_DIFF_GIT_PACK_H

#include "diff/compare.h"

bool git_pack_is(const struct blob *blob);
compare_function git_pack_compare;

#endif
