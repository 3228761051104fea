/* What is written about a run besides what it gives itself: --attest and --json. */
#ifndef STET_CLI_RESULTS_H
#define STET_CLI_RESULTS_H

#include <time.h>

#include "base/new_file.h"
#include "cli/inputs.h"
#include "cli/run_options.h"

struct results {
	struct new_file attest, json;
	const char *own[3]; /* their paths, for box_config.own_files */
	struct inputs inputs;
	struct timespec started;
};

/* Before anything else: what cannot be written is an error now. To be released in any case. */
int results_open(struct results *results, struct run_options *options, struct error *err);
/* Before the run, when all is prepared for it. */
int results_prepare(struct results *results, struct run_options *options, struct error *err);
/* After it. */
int results_write(struct results *results, const struct run_options *options,
	const struct box_result *result, struct error *err);
/* When Stet failed, and there is no result. */
void results_write_failure(struct results *results, const struct error *failure);
void results_release(struct results *results);

#endif
