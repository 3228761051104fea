/* Text of files and names for a terminal or a page: nothing in it can do anything there. */
#ifndef STET_DIFF_PRINTABLE_H
#define STET_DIFF_PRINTABLE_H

#include <stddef.h>
#include <stdio.h>

/*
 * Writes text; control characters, also those of Unicode that turn the direction of writing, and
 * bytes that are no UTF-8, as a backslash and three octal digits. Tabs stay.
 */
void printable_put(FILE *out, const char *text, size_t size);

#endif
