/* In which encoding a text is, and the way from any to UTF-8. */
#ifndef STET_DIFF_ENCODING_H
#define STET_DIFF_ENCODING_H

#include "diff/blob.h"

enum encoding {
	ENCODING_NONE, /* this is no text */
	ENCODING_ASCII,
	ENCODING_UTF8,
	ENCODING_UTF8_MARKED, /* with a byte order mark */
	ENCODING_UTF16_LE,    /* these two always with one */
	ENCODING_UTF16_BE,
	ENCODING_LATIN1, /* or another that has one byte for each character */
};

/* Looks at all of a text of some megabytes, and at parts of larger ones. */
enum encoding encoding_of(const struct blob *blob);
const char *encoding_name(enum encoding encoding);

/* Writes the text as UTF-8, without a byte order mark. */
int encoding_convert(const struct blob *blob, enum encoding encoding, struct budget *budget,
	struct blob *to, struct error *err);

#endif
