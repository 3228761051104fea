/*
 * Java classes: fields, methods and attributes by their names, code as instructions. Constants are
 * shown in place of their numbers, so that their order does not matter.
 */
#ifndef STET_DIFF_CLASS_H
#define STET_DIFF_CLASS_H

#include "diff/compare.h"

bool class_is(const struct blob *blob);
compare_function class_compare;

#endif
