/* The names in a directory, sorted by their bytes. */
#ifndef STET_DIFF_LISTING_H
#define STET_DIFF_LISTING_H

#include <stddef.h>
#include <stdint.h>

struct listing {
	char **names;
	size_t count;
	char *text; /* of all names */
};

/* Reads it from where the descriptor is. -1 with errno: E2BIG when there are more names than `most`. To be released
 * in any case. */
int listing_read(struct listing *listing, int directory, uint64_t most);
void listing_release(struct listing *listing);

#endif
