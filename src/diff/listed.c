#include "diff/listed.h"

#include <errno.h>

struct member *listed_add(struct members *members, const struct diff *diff, const char *name,
	const struct blob *bytes, struct error *err)
{
	struct member *member = members_add(members, diff, name, err);

	if (member && bytes) {
		member->blob = *bytes;
		member->has_bytes = true;
	}
	return member;
}

static enum compared compare_lists(struct diff *diff, struct node *node, struct members *a,
	struct members *b, const struct remainder *remainder, struct error *err)
{
	if (members_compare(diff, node, a, b, NULL, err))
		return COMPARE_FAILED;
	if (node->level == LEVEL_BITS &&
		node_say(node, LEVEL_CONTENT, remainder->cause, "%s", remainder->what)) {
		error_set(err, ENOMEM, "cannot compare %s", node->name);
		return COMPARE_FAILED;
	}
	return COMPARED;
}

enum compared listed_compare(struct diff *diff, struct node *node, const struct pair *pair,
	list_function *list, const struct remainder *remainder, struct error *err)
{
	struct members a = { 0 }, b = { 0 };
	enum compared compared;

	error_set(err, ENOMEM, "cannot compare %s", node->name);
	compared = list(diff, &pair->a, &a, err);
	if (compared == COMPARED)
		compared = list(diff, &pair->b, &b, err);
	if (compared == COMPARED)
		compared = compare_lists(diff, node, &a, &b, remainder, err);
	members_release(diff, &a);
	members_release(diff, &b);
	return compared;
}
