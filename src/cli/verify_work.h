/* Where runs of `stet verify` have their directories, and what is done with these. */
#ifndef STET_CLI_VERIFY_WORK_H
#define STET_CLI_VERIFY_WORK_H

#include "box/scratch.h"
#include "cli/verify_run.h"
#include "diff/node.h"

struct verify_work {
	struct verify_options options;
	struct verify_run run; /* what all of them share */
	struct verify_outcome
		*outcomes; /* in memory that is shared; one more than runs, for others */
	struct scratch scratch;
	struct stat without[2]; /* the scratch directory, and that of --keep */
	char *input;		/* a file with what came in on standard input, or NULL */
};

/* All that is needed before the first run; the options are read. */
int verify_work_prepare(struct verify_work *work, struct error *err);
void verify_work_release(struct verify_work *work);

/* A run into the directory of this name, with all that is shared; its label is for the caller. */
int verify_work_plan(const struct verify_work *work, struct verify_run *run, const char *name,
	struct error *err);
/* Runs it, and releases the plan. */
int verify_work_run(struct verify_run *run, struct error *err);

/* With that of the first run. */
struct node *verify_work_compare(
	const struct verify_work *work, const char *name, struct error *err);
void verify_work_drop(const struct verify_work *work, const char *name);
/* The first `count` runs get to their places, if they are to be kept. */
int verify_work_keep(const struct verify_work *work, size_t count, struct error *err);

#endif
