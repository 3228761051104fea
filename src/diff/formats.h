/* The formats that Stet can look into: one row each, one file each. */
#ifndef STET_DIFF_FORMATS_H
#define STET_DIFF_FORMATS_H

#include "diff/compare.h"

struct format {
	const char *name; /* as reports say it */
	/* Does the object look like one? By its first bytes, or its name where these say nothing. */
	bool (*is)(const struct blob *blob);
	compare_function *compare;
};

/* The formats that both are, the most special first; NULL behind the last, which is plain bytes. */
const struct format *formats_next(const struct format *after, const struct pair *pair);

#endif
