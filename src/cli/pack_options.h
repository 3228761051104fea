/* What a bundle says of the options of its run, and back. */
#ifndef STET_CLI_PACK_OPTIONS_H
#define STET_CLI_PACK_OPTIONS_H

#include "bundle/index.h"
#include "cli/run_options.h"

/* All that decide what the run gives, apart from what the index has fields for. */
int pack_options_tell(
	struct bundle_index *index, const struct run_options *options, struct error *err);
/* `index` must live as long as the options. */
int pack_options_take(
	const struct bundle_index *index, struct run_options *options, struct error *err);

/* A NULL-terminated copy; NULL without memory. */
char **pack_options_copy(char *const *list);

#endif
