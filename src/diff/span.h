/* Text within a blob: no zero byte follows. */
#ifndef STET_DIFF_SPAN_H
#define STET_DIFF_SPAN_H

#include "diff/blob.h"

struct span {
	const char *start;
	size_t size;
};
struct span span_of(const char *text);
/* Up to the first zero byte, or all. */
struct span span_in(const struct blob *blob, uint64_t at, uint64_t size);
bool span_is(struct span span, const char *text);

#endif
