/*
 * Text, by lines: which differ, were added or removed, with likely causes; encodings and line ends
 * that differ are told as such. Texts of the same number of lines, each in its place, are equal in
 * structure.
 */
#ifndef STET_DIFF_TEXT_H
#define STET_DIFF_TEXT_H

#include "diff/compare.h"

bool text_is(const struct blob *blob);
compare_function text_compare;

#endif
