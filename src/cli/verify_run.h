/* One run of `stet verify`: its copies, its container, and what it gave, in a directory. */
#ifndef STET_CLI_VERIFY_RUN_H
#define STET_CLI_VERIFY_RUN_H

#include <sys/stat.h>

#include "cli/verify_options.h"
#include "verify/trial.h"

/* Lies in memory that is shared with the process of the run. */
struct verify_outcome {
	bool ran;  /* else there is an error */
	bool late; /* a plain run, which was ended because it took too long */
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
	int64_t epoch;	/* natively */
	char label[48]; /* for messages and the line of progress, as "run 2 of 3" */
	char *place;	/* the directory that gets the results; to be made */
	uint32_t vary;
	unsigned turn;	/* 0 for a run without variations */
	bool plain;	/* everything is left native, for the time that it takes, */
	double most;	/* and for so many seconds at most; 0: as long as it takes */
	cpu_set_t cpus; /* for it alone; none: it runs anywhere */
	struct verify_outcome *outcome;

	double started;
	struct trial trial;
};

/* Starts it, in a process which has the address of `run`. */
int verify_run_start(struct verify_run *run, struct error *err);
/* Waits for it. `place` has status, stdout, stderr, files, and what else the run changed. */
int verify_run_end(struct verify_run *run, struct error *err);
/* Ends it, if it is under way. */
void verify_run_stop(struct verify_run *run);

#endif
