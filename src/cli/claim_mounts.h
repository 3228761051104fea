/* The mounts of a run that is to be repeated: as the statement has them, with the caller's
 * directories, and copies in place of those that are written through. */
#ifndef STET_CLI_CLAIM_MOUNTS_H
#define STET_CLI_CLAIM_MOUNTS_H

#include "cli/claim.h"

/* The caller gave those in `options`. The copies are made below `scratch`. */
int claim_mounts(const struct claim *claim, struct run_options *options, const char *scratch,
	struct error *err);

#endif
