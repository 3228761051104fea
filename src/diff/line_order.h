/* Texts that have the same lines in another order. */
#ifndef STET_DIFF_LINE_ORDER_H
#define STET_DIFF_LINE_ORDER_H

#include "diff/lines.h"

/* The cause of the other order; NULL when the lines are not the same. */
const char *line_order_cause(const struct lines *lines);

#endif
