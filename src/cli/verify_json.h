/* What came out of `stet verify`, and the document about it. */
#ifndef STET_CLI_VERIFY_JSON_H
#define STET_CLI_VERIFY_JSON_H

#include "base/new_file.h"
#include "cli/verify_run.h"
#include "diff/node.h"
#include "verify/variations.h"

struct verify_report {
	const struct verify_outcome *runs;
	size_t count;
	bool differs;		   /* the last of them, from the first */
	struct node *difference;   /* of the last two that were compared */
	double ratio;		   /* of times, to native; 0: not measured */
	double native_least;	   /* natively it took more than so many seconds; 0: not known */
	uint32_t sets[VARIATIONS]; /* of --bisect */
	size_t set_count;
};

/* Into the file that was opened for it before the work. */
int verify_json(const struct verify_report *report, const struct verify_options *options,
	struct new_file *file, struct error *err);

#endif
