/*
 * A statement about a run (statement.h) that somebody else wrote, to be checked. It is believed in
 * nothing but what to run: what it says of inputs and outputs is compared.
 */
#ifndef STET_CLI_CLAIM_H
#define STET_CLI_CLAIM_H

#include <jansson.h>

#include "cli/inputs.h"
#include "cli/run_options.h"

struct claim {
	const char *file; /* its name, for messages */
	json_t *document;
	/* Parts of that, of the right types. */
	json_t *type, *predicate, *build;
	json_t *command, *environment, *workdir, *mounts, *image, *input, *tty, *save, *options;
	json_t *subjects, *dependencies, *made, *make_workdir, *version, *status;
	/* What options point to. */
	char *directory, *tar;
	char **words;
};

/* Reads it; to be released in any case. Whatever is wrong with it is named. */
int claim_read(struct claim *claim, const char *file, struct error *err);
/* Sets what it says of the run, apart from mounts. What the run saves lies in `scratch` then. */
int claim_options(
	struct claim *claim, struct run_options *options, const char *scratch, struct error *err);
/* The digest that an element of `subjects` or `dependencies` has, and its name; NULL: it is none. */
const char *claim_digest(const json_t *element, const char **name);
/* Are these the inputs that it names? */
int claim_check_inputs(const struct claim *claim, const struct inputs *inputs, struct error *err);
void claim_release(struct claim *claim);

#endif
