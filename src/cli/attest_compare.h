/* What a statement says came out of a run, and what did: by names and digests. */
#ifndef STET_CLI_ATTEST_COMPARE_H
#define STET_CLI_ATTEST_COMPARE_H

#include "cli/claim.h"

/* Zeroed at first. */
struct comparison {
	size_t all, same;
	size_t differences;
	json_t *list; /* of these: objects with a name, and what it was, and is, or null */
};

int compare_subjects(struct comparison *comparison, const struct claim *claim,
	const struct run_options *options, const struct box_result *result, struct error *err);
/* A line per difference, on standard output. */
void comparison_print(const struct comparison *comparison);
json_t *comparison_json(const struct comparison *comparison);
void comparison_release(struct comparison *comparison);

#endif
