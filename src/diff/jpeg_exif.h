/* Dates of an Exif segment. */
#ifndef STET_DIFF_JPEG_EXIF_H
#define STET_DIFF_JPEG_EXIF_H

#include "diff/members.h"

#define JPEG_EXIF_MARK	     "Exif\0"
#define JPEG_EXIF_MARK_BYTES 6

/* Makes facts of the dates, and zeroes of them in the copy of the segment. */
int jpeg_exif_take_dates(struct member *member, const struct blob *segment, unsigned char *copy);

#endif
