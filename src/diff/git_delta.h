/* Deltas of git: an object as pieces of another one. */
#ifndef STET_DIFF_GIT_DELTA_H
#define STET_DIFF_GIT_DELTA_H

#include "diff/blob.h"

/* How many bytes the object will have; UINT64_MAX if the delta is damaged, or for another base. */
uint64_t git_delta_size(const struct blob *delta, uint64_t base_size);
/* Makes it, of that size; false if the delta is damaged. */
bool git_delta_apply(const struct blob *delta, const struct blob *base, unsigned char *to);

#endif
