/*
 * zip archives, and what is one by another name: jar, wheel, egg, docx, odt, epub, apk. The central
 * directory tells what is where. Encrypted ones and those of several disks are no such.
 */
#ifndef STET_DIFF_ZIP_H
#define STET_DIFF_ZIP_H

#include "diff/compare.h"

bool zip_is(const struct blob *blob);
compare_function zip_compare;

#endif
