#include "diff/rest.h"

#include <errno.h>

static uint64_t zeros_before(const struct blob *blob)
{
	uint64_t zeros = 0;

	while (zeros < blob->size && blob->data[zeros] == 0)
		zeros++;
	return zeros;
}

int rest_compare(struct diff *diff, struct node *node, const struct pair *pair, bool same_end,
	struct error *err)
{
	uint64_t a = zeros_before(&pair->a), b = zeros_before(&pair->b);
	const struct pair behind = { blob_part(&pair->a, a, UINT64_MAX, "rest"),
		blob_part(&pair->b, b, UINT64_MAX, "rest") };

	if (a != b && (same_end || node->level == LEVEL_BITS) &&
		node_say(node, LEVEL_CONTENT, NULL, "padding at the end: %llu, %llu bytes",
			(unsigned long long)a, (unsigned long long)b))
		return error_set(err, ENOMEM, "cannot compare what follows the end");
	if (!behind.a.size && !behind.b.size)
		return 0;
	return compare_part(diff, node, "behind the end", &behind, err);
}

int rest_say_unknown(struct node *node, const struct pair *pair, enum level level)
{
	if (node->level != LEVEL_BITS || node->ignored_objects || blob_equal(&pair->a, &pair->b))
		return 0;
	return node_say(node, level, NULL,
		"bytes differ that belong to no member: padding or the form of headers");
}
