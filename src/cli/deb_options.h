/* The options of `stet deb`: its own, and those of `stet run` that make sense for a build. */
#ifndef STET_CLI_DEB_OPTIONS_H
#define STET_CLI_DEB_OPTIONS_H

#include "cli/run_options.h"

struct deb_options {
	struct run_options run; /* the first: rows of its table take their target for it */
	const char *file;	/* the .dsc */
	const char *output;	/* directory for results */
	uint64_t jobs;
	bool once;	  /* without a second build */
	const char *keep; /* directory for all that the builds gave, or NULL */
	const char *json; /* file, or NULL */
};

/* Reads the options behind argv[0], before and behind the file. */
int deb_options_read(struct deb_options *options, char **argv, struct error *err);
void deb_options_help(void);

#endif
