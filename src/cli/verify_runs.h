/* The runs of `stet verify`, compared with the first one in order, until one differs from it. */
#ifndef STET_CLI_VERIFY_RUNS_H
#define STET_CLI_VERIFY_RUNS_H

#include "cli/verify_json.h"
#include "cli/verify_work.h"

/* With --parallel, those that are next run meanwhile; the report is the same. */
int verify_runs(const struct verify_work *work, struct verify_report *report, struct error *err);
/* The CPUs of the first of several that run at the same time; none when there is only one. */
cpu_set_t verify_runs_share(const struct verify_options *options);

#endif
