/*
 * An in-toto statement about a run, with a predicate of SLSA provenance: what went into it, and what
 * came out, by digests. It is the same each time, on every machine, for every user. Its form is in
 * doc/saving.md.
 */
#ifndef STET_CLI_STATEMENT_H
#define STET_CLI_STATEMENT_H

#include <jansson.h>

#include "cli/inputs.h"
#include "cli/run_options.h"

#define STATEMENT_TYPE	     "https://in-toto.io/Statement/v1"
#define STATEMENT_PREDICATE  "https://slsa.dev/provenance/v1"
#define STATEMENT_BUILD_TYPE "stet:run/v1"
#define STATEMENT_BUILDER    "stet:local"
#define STATEMENT_TREE	     "application/vnd.stet.files"  /* media type of a list of files */
#define STATEMENT_RESULT     "application/vnd.stet.result" /* of the text that doc/digest.md has */

/* Of a run that has a digest and a listing. NULL without memory. */
json_t *statement_make(const struct run_options *options, const struct inputs *inputs,
	const struct box_result *result);
/* What came out: its part of a statement. */
json_t *statement_subjects(const struct run_options *options, const struct box_result *result);

/* A mode of a mount by its name; -1: it is none. */
int statement_mount_mode(const char *name, enum box_mount_mode *mode);

#endif
