/* The verdict of `stet verify`, for people. */
#ifndef STET_CLI_VERIFY_SAY_H
#define STET_CLI_VERIFY_SAY_H

#include "cli/verify_json.h"
#include "diff/report.h"

/* How the runs that were compared last are called. */
struct report verify_say_names(const struct verify_report *report, char last[32]);
/* What differs on standard output, unless a document goes there, and the verdict on standard error. */
void verify_say(const struct verify_report *report, const struct verify_options *options);

#endif
