/* What archives say of their entries as file systems do, made into facts of members. */
#ifndef STET_DIFF_ENTRY_FACTS_H
#define STET_DIFF_ENTRY_FACTS_H

#include <sys/types.h>

#include "diff/members.h"
#include "diff/span.h"

struct entry_facts {
	const char *type; /* "file"; or NULL: by the mode */
	mode_t mode;	  /* with the type */
	bool owned;	  /* the owner is known */
	uint64_t user, group;
	struct span user_name, group_name; /* empty where there are none */
	struct span target;		   /* of a link */
	uint64_t major, minor;		   /* of a device */
	bool timed;
	int64_t time;
	struct span fraction; /* of a second: ".25", or nothing */
};

/* Facts of both, as far as they are known of both. -1 without memory. */
int entry_facts(struct member *a, struct member *b, const struct entry_facts *of_a,
	const struct entry_facts *of_b);

#endif
