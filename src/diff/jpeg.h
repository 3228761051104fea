/* JPEG, by segments: dates of Exif are bookkeeping; pixels stay packed, and are compared as bytes. */
#ifndef STET_DIFF_JPEG_H
#define STET_DIFF_JPEG_H

#include "diff/compare.h"

bool jpeg_is(const struct blob *blob);
compare_function jpeg_compare;

#endif
