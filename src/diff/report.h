/* What a comparison found, written for people. */
#ifndef STET_DIFF_REPORT_H
#define STET_DIFF_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "diff/node.h"

struct report {
	const char *a, *b; /* what was compared, as it was named */
	bool color;	   /* for a terminal */
	bool full;	   /* fold nothing */
};

/* Each object that differs, with its path into the nest, and a line about the whole. */
void report_text(const struct node *root, const struct report *report, FILE *out);
/* Only that line. */
void report_verdict(const struct node *root, const struct report *report, FILE *out);

/* One page that needs nothing else; -1 with err. */
int report_html(const struct node *root, const struct report *report, FILE *out, struct error *err);

#endif
