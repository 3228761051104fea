#include "diff/span.h"

#include <string.h>

struct span span_of(const char *text)
{
	return (struct span){ text, strlen(text) };
}

struct span span_in(const struct blob *blob, uint64_t at, uint64_t size)
{
	struct blob part = blob_part(blob, at, size, NULL);

	return (struct span){ (const char *)part.data,
		strnlen((const char *)part.data, part.size) };
}

bool span_is(struct span span, const char *text)
{
	return span.size == strlen(text) && memcmp(span.start, text, span.size) == 0;
}
