/* A download under way: what comes in is counted, hashed and written. */
#ifndef STET_FETCH_TRANSFER_H
#define STET_FETCH_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

#include "fetch/fetch.h"

struct transfer {
	const struct fetch *fetch;
	const struct fetch_options *options;
	int file;	  /* to write to */
	struct hash hash; /* of what was written, and how much that is */
};

/* Takes the next bytes. -1 with err: too many, the disk is full, or a signal came. */
int transfer_take(
	struct transfer *transfer, const void *data, size_t bytes, uint64_t all, struct error *err);

int transfer_too_large(const struct transfer *transfer, struct error *err);

/* Bring all of it. */
int transfer_file(struct transfer *transfer, struct error *err);
int transfer_web(struct transfer *transfer, struct error *err);

#endif
