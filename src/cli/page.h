/* The page of --html: to a file, which has its name when it is complete, or to standard output. */
#ifndef STET_CLI_PAGE_H
#define STET_CLI_PAGE_H

#include "base/new_file.h"
#include "diff/report.h"

/* Before the work, so that it is not done for nothing. `name` is - for standard output, NULL for no
 * page. */
int page_open(struct new_file *file, const char *name, struct error *err);
/* Writes what page_open opened, if anything. */
int page_write(struct new_file *file, const char *name, const struct node *root,
	const struct report *report, struct error *err);

#endif
