/* The page of `stet verify --html`: the verdict and how it came about, then what differs. */
#ifndef STET_CLI_VERIFY_PAGE_H
#define STET_CLI_VERIFY_PAGE_H

#include "base/new_file.h"
#include "cli/verify_json.h"

/* Writes what page_open opened, if anything. */
int verify_page(struct new_file *file, const struct verify_report *report,
	const struct verify_options *options, struct error *err);

#endif
