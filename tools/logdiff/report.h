/* Shows where two logs part, with what happened just before. */
#ifndef STET_LOGDIFF_REPORT_H
#define STET_LOGDIFF_REPORT_H

#include "logdiff/line.h"
#include "logdiff/log.h"
#include "logdiff/tasks.h"

/* Prints the event of `task` that differs, as each log has it, and up to `context` events before
 * it: of this task in both logs, and of all tasks in A. */
void report_print(struct log *const logs[SIDES], const struct rules *rules, const struct task *task,
	unsigned context);

#endif
