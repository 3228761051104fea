/* A manual page in its parts: what is shown, comments, and what says when and by what it was made. */
#ifndef STET_DIFF_MAN_PAGE_H
#define STET_DIFF_MAN_PAGE_H

#include "diff/compare.h"
#include "diff/span.h"

struct man_page {
	struct blob shown;    /* its lines, without the date and comments */
	struct blob comments; /* the lines of those, without what made the page */
	struct span date;     /* of .TH or .Dd; empty for none */
	struct span maker;    /* "Pod::Man 4.14"; empty for none */
};

/* The line that begins the page, .TH or .Dd, is among the first. */
bool man_page_has_title(const struct blob *blob);

/* -1 with err. To be released if it was read. */
int man_page_read(
	struct man_page *page, const struct blob *blob, struct budget *budget, struct error *err);
void man_page_release(struct man_page *page, struct budget *budget);

#endif
