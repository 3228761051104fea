/* Lines that differ, as hunks of a unified diff, with long lines cut around what differs in them. */
#ifndef STET_DIFF_TEXT_EXCERPT_H
#define STET_DIFF_TEXT_EXCERPT_H

#include "diff/changes.h"
#include "diff/lines.h"

/* Shows those changes whose cause, at the same place of `causes`, is `cause`. To be freed; NULL
 * without memory. */
char *text_excerpt(const struct lines *lines, const struct changes *changes,
	const char *const *causes, const char *cause);

#endif
