/* What libarchive reads for us, one member after the other: 7-Zip, and images of ISO 9660. */
#ifndef STET_DIFF_BUNDLED_H
#define STET_DIFF_BUNDLED_H

#include "diff/compare.h"

bool seven_zip_is(const struct blob *blob);
compare_function seven_zip_compare;

bool iso9660_is(const struct blob *blob);
compare_function iso9660_compare;

#endif
