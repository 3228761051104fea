/* What the headers of zip archives say of their members, made into facts. */
#ifndef STET_DIFF_ZIP_FACTS_H
#define STET_DIFF_ZIP_FACTS_H

#include "diff/members.h"
#include "diff/zip_entry.h"

/* -1 without memory. */
int zip_facts(struct member *a, struct member *b, const struct zip_entry *of_a,
	const struct zip_entry *of_b);

#endif
