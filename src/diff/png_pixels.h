/* Pixels of a PNG: rows without their filters. */
#ifndef STET_DIFF_PNG_PIXELS_H
#define STET_DIFF_PNG_PIXELS_H

#include "diff/compare.h"

struct png_header {
	uint32_t width, height;
	unsigned depth; /* bits of a sample */
	unsigned color; /* its type, as in the file */
	bool interlaced;
};

/* Reads the bytes of the IHDR chunk; false if they make no sense, or rows are too long to hold. */
bool png_header_read(struct png_header *header, const struct blob *chunk);

/* Unpacks the zlib stream that all IDAT chunks make; the rows of passes one after another. */
enum compared png_pixels_read(struct diff *diff, const struct png_header *header,
	const struct blob *packed, struct blob *pixels, struct error *err);

#endif
