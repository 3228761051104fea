/* The options of `stet verify`: its own, and those of `stet run` that say how a command runs. */
#ifndef STET_CLI_VERIFY_OPTIONS_H
#define STET_CLI_VERIFY_OPTIONS_H

#include "cli/run_options.h"

struct verify_options {
	struct run_options run; /* first: setters of rows get this */
	uint64_t runs;
	uint32_t vary; /* bits of enum variation */
	const char *keep, *json, *html;
	bool native, bisect, parallel, speed;
};

/* Reads the options behind argv[0]. The current directory is among run's mounts afterwards, if it
 * is to be mounted at all; *own is its place there, or -1. */
int verify_options_read(struct verify_options *options, char **argv, int *own, struct error *err);
void verify_options_help(void);

#endif
