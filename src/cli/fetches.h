/* --fetch: downloads before the start, and files of the container made of them. */
#ifndef STET_CLI_FETCHES_H
#define STET_CLI_FETCHES_H

#include <stdbool.h>

#include "box/box.h"
#include "fetch/fetch.h"

/* Zeroed at first. */
struct fetches {
	struct fetch *list;
	struct box_file *files; /* where each lies, when all have been brought */
	size_t count;
	uint64_t limit; /* of --fetch-limit; 0: the default */
};

int fetches_add(struct fetches *fetches, const char *text, struct error *err);
/* Brings all of them. Shows how far it is, on a terminal, unless `quiet`. */
int fetches_get(struct fetches *fetches, bool quiet, struct error *err);
void fetches_release(struct fetches *fetches);

#endif
