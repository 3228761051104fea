/* What a comparison found, for programs: doc/diff.md describes it. */
#ifndef STET_CLI_DIFF_JSON_H
#define STET_CLI_DIFF_JSON_H

#include <jansson.h>

#include "diff/node.h"

/* An object and all below it; NULL without memory. */
json_t *diff_json_object(const struct node *node);
/* How many objects are of each level, of which the root is one. */
json_t *diff_json_counts(const struct node *root);

#endif
