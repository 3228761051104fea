/* What a comparison found, written for people. */
#ifndef STET_DIFF_REPORT_H
#define STET_DIFF_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "diff/node.h"

/* What is shown unless all is wanted. */
#define REPORT_OBJECTS	1000
#define REPORT_FINDINGS 8  /* of an object */
#define REPORT_LINES	12 /* of the excerpt of a finding */

/* What a page says first, of the work that a comparison is part of. */
struct report_preface {
	const char *title, *verdict;
	bool good; /* the verdict */
	const struct report_fact {
		char *name, *value;
	} * facts;
	size_t fact_count;
};

struct report {
	const char *a, *b;		      /* what was compared, as it was named */
	bool color;			      /* for a terminal */
	bool full;			      /* fold nothing */
	const struct report_preface *preface; /* or NULL */
};

/* Each object that differs, with its path into the nest, and a line about the whole. */
void report_text(const struct node *root, const struct report *report, FILE *out);
/* Only that line. */
void report_verdict(const struct node *root, const struct report *report, FILE *out);

/* One page that needs nothing else, nor scripts to be read; -1 with err. */
int report_html(const struct node *root, const struct report *report, FILE *out, struct error *err);

#endif
