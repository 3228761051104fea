/* Hex dumps as excerpts of reports show them. */
#ifndef STET_DIFF_HEX_H
#define STET_DIFF_HEX_H

#include <stdio.h>

#include "diff/compare.h"
#include "diff/changes.h"

/* A row of at most 16 bytes from `at`: sign, offset, bytes, characters. */
void hex_row(FILE *out, char sign, const struct blob *blob, uint64_t at);

/* The first changes of bytes, in rows of A and of B; to be freed; NULL without memory. */
char *hex_excerpt(const struct pair *pair, const struct changes *changes);

#endif
