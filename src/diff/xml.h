/*
 * XML, by its structure: elements, attributes in any order, text. Blanks between elements, quotes,
 * CDATA and the encoding do not matter to its content. Documents that define entities of their own
 * are left to the next format.
 */
#ifndef STET_DIFF_XML_H
#define STET_DIFF_XML_H

#include "diff/compare.h"

bool xml_is(const struct blob *blob);
compare_function xml_compare;

#endif
