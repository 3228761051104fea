/* What `stet pack` and `stet rerun` write for machines. */
#ifndef STET_CLI_PACK_JSON_H
#define STET_CLI_PACK_JSON_H

#include "bundle/pack.h"
#include "bundle/report.h"

/* `file` may be "-". */
int pack_json_index(const struct bundle_index *index, const char *file, struct error *err);
int pack_json_packed(
	const struct packing *packing, uint64_t bytes, const char *file, struct error *err);

/* How a rerun ended. */
struct rerun_outcome {
	int status;	      /* of the command */
	const char *digest;   /* "" when there is none */
	const char *expected; /* NULL: with other arguments there is nothing to compare with */
	const struct unknown *unknown;
};
int pack_json_rerun(const struct rerun_outcome *outcome, const char *file, struct error *err);

#endif
