/* From options to a finished run: what `stet run` and the subcommands that run commands share. */
#ifndef STET_CLI_EXECUTE_H
#define STET_CLI_EXECUTE_H

#include "cli/run_options.h"

/* What options say nothing about; to be released in any case. */
void execute_defaults(struct run_options *options);
/* Runs the command. 0 when it ran, whatever its status. */
int execute(struct run_options *options, struct box_result *result, struct error *err);
/* Says what there is to say of a run that came to its end: timeout, refusals, digest. */
void execute_report(const struct run_options *options, const struct box_result *result);
void execute_release(struct run_options *options);

#endif
