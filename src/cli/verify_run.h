/* One run of `stet verify`: its copies, its container, and what it gave, in a directory. */
#ifndef STET_CLI_VERIFY_RUN_H
#define STET_CLI_VERIFY_RUN_H

#include <sys/stat.h>

#include "cli/verify_options.h"

/* Lies in memory that is shared with the process of the run. */
struct verify_outcome {
	bool ran; /* else there is an error */
	int status;
	double seconds;
	char digest[65];     /* or "", */
	char no_digest[256]; /* and why */
	struct error error;
};

struct verify_run {
	struct verify_options *options;
	int own;		    /* the mount that is the current directory, or -1 */
	const struct stat *without; /* directories that are not copied */
	size_t without_count;
	int64_t epoch;	   /* natively */
	const char *label; /* for the line of progress, as "run 2 of 3" */
	const char *place; /* the directory that gets the results; to be made */
	uint32_t vary;
	unsigned turn; /* 0 for a run without variations */
	bool plain;    /* everything is left native, for the time that it takes */
	struct verify_outcome *outcome;
};

/* Makes `place` with status, stdout, stderr, files, and what else the run changed. */
int verify_run(struct verify_run *run, struct error *err);

#endif
