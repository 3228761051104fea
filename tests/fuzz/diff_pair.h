/* Two objects of one format from a stranger: four bytes, little-endian, say how long A is; then come
 * A and B. What every format promises is checked here. */
#ifndef STET_FUZZ_DIFF_PAIR_H
#define STET_FUZZ_DIFF_PAIR_H

#include <stdlib.h>
#include <string.h>

#include "diff/compare.h"

#define DIFF_PAIR_MEMORY  (16u << 20)
#define DIFF_PAIR_MEMBERS 1000

/* In blocks of their own, so that a sanitizer sees what is read beyond the ends. */
static inline struct blob diff_pair_copy(const uint8_t *data, size_t size)
{
	unsigned char *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	memcpy(copy, data, size);
	return (struct blob){ .data = copy, .size = size };
}

static inline void diff_pair_check(
	const struct pair *pair, compare_function *compare, const char *format)
{
	const struct diff_options options = {
		.memory = DIFF_PAIR_MEMORY, .depth = 8, .members = DIFF_PAIR_MEMBERS
	};
	struct diff diff = { .options = &options, .budget = { .left = options.memory } };
	struct node *node = node_new("object", format);
	struct error err = { 0 };
	enum compared compared;

	if (!node)
		abort();
	compared = compare(&diff, node, pair, &err);
	if (compared == COMPARED && node->level == LEVEL_BITS && !blob_equal(&pair->a, &pair->b))
		abort(); /* a difference that was not told */
	if (compared == NOT_THIS && (node->finding_count || node->child_count))
		abort(); /* something was said, and another format says more */
	if (compared == COMPARE_FAILED && !err.text[0])
		abort(); /* an error without a message */
	if (diff.budget.left != options.memory || diff.depth || diff.path)
		abort(); /* something was kept */
	node_free(node);
}

static inline void diff_pair_fuzz(const uint8_t *data, size_t size,
	bool (*is)(const struct blob *blob), compare_function *compare, const char *format)
{
	struct pair pair;
	size_t a;

	if (size < 4)
		return;
	a = data[0] | data[1] << 8 | data[2] << 16 | (size_t)data[3] << 24;
	data += 4;
	size -= 4;
	if (a > size)
		a = size;
	pair = (struct pair){ diff_pair_copy(data, a), diff_pair_copy(data + a, size - a) };
	if (is(&pair.a) && is(&pair.b))
		diff_pair_check(&pair, compare, format);
	free((void *)pair.a.data);
	free((void *)pair.b.data);
}

#endif
