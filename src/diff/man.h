/*
 * Manual pages (troff with the macros man or mdoc), by lines. Comments, the program that made the
 * page, and the date of the page are told as such, and leave the content equal: what a page says is
 * the same.
 */
#ifndef STET_DIFF_MAN_H
#define STET_DIFF_MAN_H

#include "diff/compare.h"

bool man_is(const struct blob *blob);
compare_function man_compare;

#endif
