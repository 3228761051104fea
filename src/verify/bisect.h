/* Which of the variations make the difference. */
#ifndef STET_VERIFY_BISECT_H
#define STET_VERIFY_BISECT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "verify/variations.h"

/* Does the result differ when these vary? 1 or 0, or -1 with err. */
typedef int bisect_test(void *context, uint32_t set, struct error *err);

/*
 * `all` is known to make a difference. Finds smallest sets which do so by themselves, one after the
 * other, until what is left makes none; at most VARIATIONS of them. How many there are, or -1.
 */
int bisect_find(uint32_t all, bisect_test *test, void *context, uint32_t found[VARIATIONS],
	struct error *err);

#endif
