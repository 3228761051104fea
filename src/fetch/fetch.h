/*
 * Known downloads: a file from http, https or file with a checksum, kept in a cache under that
 * checksum. What is there and has the checksum is used as it is, without a look at the network.
 * Uses base, and libcurl when something has to come over the network. Never prints: messages come
 * back in struct error.
 */
#ifndef STET_FETCH_FETCH_H
#define STET_FETCH_FETCH_H

#include <stdint.h>

#include "base/error.h"
#include "base/hash.h"

#define FETCH_LIMIT_DEFAULT (4ull << 30)

/* One download, as --fetch describes it. */
struct fetch {
	char *url;
	char *shown;		/* the same for people: without a password */
	char *inside;		/* absolute path in the container */
	char digest[HASH_TEXT]; /* SHA-256 that it must have, in lower case */
};

struct fetch_options {
	const char *cache; /* directory that keeps downloads */
	uint64_t limit;	   /* bytes that a download may have */
	/* Told from time to time; `all` is 0 as long as it is not known. May be NULL. */
	void (*progress)(uint64_t done, uint64_t all);
};

/* URL#sha256=HEX:INSIDE. To be released in any case. */
int fetch_parse(const char *text, struct fetch *fetch, struct error *err);
void fetch_release(struct fetch *fetch);

/*
 * Makes sure that the cache has it; *path is where, to be freed. Waits for another process that is
 * just downloading the same. Signals that end Stet end the download, and leave nothing behind; the
 * status of err is then 128 plus the signal's number.
 */
int fetch_get(const struct fetch *fetch, const struct fetch_options *options, char **path,
	struct error *err);

#endif
