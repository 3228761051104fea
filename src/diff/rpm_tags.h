/* The tags of RPM packages that are known: their names, and what it means when they differ. */
#ifndef STET_DIFF_RPM_TAGS_H
#define STET_DIFF_RPM_TAGS_H

#include <stdbool.h>

#include "diff/node.h"

struct rpm_tag {
	unsigned number;
	const char *name;
	enum level level;
	const char *cause;
};

/* NULL for those that are not known. */
const struct rpm_tag *rpm_tag_find(unsigned number, bool signature);

#endif
