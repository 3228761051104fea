#include "diff/line_order.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"

static bool has_same_lines(const struct lines *lines)
{
	cleanup_free int32_t *counts = NULL;

	if (lines->a.count != lines->b.count || lines->a.count > INT32_MAX)
		return false;
	counts = calloc((size_t)lines->ids + 1, sizeof(*counts));
	if (!counts)
		return false;
	for (uint64_t i = 0; i < lines->a.count; i++) {
		counts[lines->a.ids[i]]++;
		counts[lines->b.ids[i]]--;
	}
	for (uint32_t i = 0; i < lines->ids; i++)
		if (counts[i])
			return false;
	return true;
}

static int by_bytes(const struct blob *a, const struct blob *b)
{
	uint64_t least = a->size < b->size ? a->size : b->size;
	int order = memcmp(a->data, b->data, least);

	return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* The next letter or digit, small; -1 at the end. */
static int next_letter(const struct blob *line, uint64_t *at)
{
	while (*at < line->size && line->data[*at] < 0x80 && !isalnum(line->data[*at]))
		++*at;
	return *at < line->size ? tolower(line->data[(*at)++]) : -1;
}

/* As most locales sort: by letters first, whatever their case; marks count for little. */
static int by_letters(const struct blob *a, const struct blob *b)
{
	uint64_t at = 0, other = 0;
	int one, two;

	do {
		one = next_letter(a, &at);
		two = next_letter(b, &other);
	} while (one == two && one >= 0);
	return one - two;
}

static bool is_sorted(const struct lines *lines, const struct side *side,
	int (*compare)(const struct blob *, const struct blob *))
{
	for (uint64_t i = 1; i < side->count; i++) {
		struct blob before = lines_at(lines, side, i - 1), line = lines_at(lines, side, i);

		if (compare(&before, &line) > 0)
			return false;
	}
	return true;
}

const char *line_order_cause(const struct lines *lines)
{
	const struct side *a = &lines->a, *b = &lines->b;

	if (!has_same_lines(lines))
		return NULL;
	if ((is_sorted(lines, a, by_bytes) && is_sorted(lines, b, by_letters)) ||
		(is_sorted(lines, b, by_bytes) && is_sorted(lines, a, by_letters)))
		return CAUSE_LOCALE;
	return CAUSE_ORDER;
}
