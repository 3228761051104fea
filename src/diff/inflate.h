/* Unpacks deflate, as gzip and zip have it. */
#ifndef STET_DIFF_INFLATE_H
#define STET_DIFF_INFLATE_H

#include "diff/packed.h"

/* zlib's numbers for windows: with a header and a checksum of gzip, or with neither. */
enum inflate_kind { INFLATE_GZIP = 15 + 16, INFLATE_RAW = -15 };

enum unpacked inflate_part(const struct blob *from, enum inflate_kind kind, struct blob_writer *to,
	uint64_t *used, struct error *err);

#endif
