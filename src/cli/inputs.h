/*
 * What a run depends on, besides its command and options, by digest: the image, mounts, standard
 * input, recorded randomness, downloads. Taken before the run.
 */
#ifndef STET_CLI_INPUTS_H
#define STET_CLI_INPUTS_H

#include "base/hash.h"
#include "cli/run_options.h"

struct input {
	char *name; /* as "image", or "mount:/build" */
	char *uri;  /* of downloads, or NULL */
	bool tree;  /* the digest is over a list of files, not over a file */
	char digest[HASH_TEXT];
};

/* Zeroed at first. */
struct inputs {
	struct input *list;
	size_t count;
};

/* Of a run that is prepared. */
int inputs_take(struct inputs *inputs, struct run_options *options, struct error *err);
const struct input *inputs_find(const struct inputs *inputs, const char *name);
void inputs_release(struct inputs *inputs);

#endif
