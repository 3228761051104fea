#include "diff/members.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/cause.h"

#define FACTS_AT_ONCE 8 /* room is made for so many */

struct member *members_add(
	struct members *members, const struct diff *diff, const char *name, struct error *err)
{
	struct member *member;

	if (members->count >= diff->options->members) {
		error_set(err, 0, "%s has more than %llu members", diff->path ? diff->path : name,
			(unsigned long long)diff->options->members);
		return NULL;
	}
	if (members->count == members->room) {
		size_t room = members->room ? 2 * members->room : 64;
		struct member *list = reallocarray(members->list, room, sizeof(*list));

		if (!list) {
			error_set(err, ENOMEM, "cannot list members");
			return NULL;
		}
		members->list = list;
		members->room = room;
	}
	member = &members->list[members->count];
	*member = (struct member){ .name = strdup(name), .order = members->count };
	if (!member->name) {
		error_set(err, ENOMEM, "cannot list members");
		return NULL;
	}
	members->count++;
	return member;
}

int member_fact(struct member *member, const char *name, enum level level, const char *cause,
	const char *format, ...)
{
	struct fact *fact, *facts = member->facts;
	va_list args;
	int n;

	if (member->fact_count % FACTS_AT_ONCE == 0)
		facts = reallocarray(facts, member->fact_count + FACTS_AT_ONCE, sizeof(*facts));
	if (!facts)
		return -1;
	member->facts = facts;
	fact = &facts[member->fact_count];
	*fact = (struct fact){ .name = name, .level = level, .cause = cause };
	va_start(args, format);
	n = vasprintf(&fact->value, format, args);
	va_end(args);
	if (n < 0)
		return -1;
	member->fact_count++;
	return 0;
}

static void free_facts(struct member *member)
{
	for (size_t i = 0; i < member->fact_count; i++)
		free(member->facts[i].value);
	free(member->facts);
	member->facts = NULL;
	member->fact_count = 0;
}

void members_release(struct diff *diff, struct members *members)
{
	for (size_t i = 0; i < members->count; i++) {
		struct member *member = &members->list[i];

		free_facts(member);
		if (member->unpacked)
			blob_unpacked_close(&member->blob, &diff->budget);
		else
			blob_close(&member->blob);
		free(member->name);
	}
	free(members->list);
	*members = (struct members){ 0 };
}

static int by_name(const void *a, const void *b)
{
	const struct member *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order ? order : (one->order > other->order) - (one->order < other->order);
}

static const struct fact *find_fact(const struct member *member, const char *name)
{
	for (size_t i = 0; i < member->fact_count; i++)
		if (strcmp(member->facts[i].name, name) == 0)
			return &member->facts[i];
	return NULL;
}

bool members_have_same_facts(const struct member *a, const struct member *b)
{
	if (a->fact_count != b->fact_count)
		return false;
	for (size_t i = 0; i < a->fact_count; i++) {
		const struct fact *other = find_fact(b, a->facts[i].name);

		if (!other || strcmp(a->facts[i].value, other->value) != 0)
			return false;
	}
	return true;
}

/* Facts of `a` that `b` does not have in the same way; of those that both have, only once. */
static int say_facts(struct node *node, const struct member *a, const struct member *b, bool first)
{
	for (size_t i = 0; i < a->fact_count; i++) {
		const struct fact *fact = &a->facts[i], *other = find_fact(b, fact->name);
		const char *value = other ? other->value : "none";

		if ((other && !first) || strcmp(fact->value, value) == 0)
			continue;
		if (node_say(node, fact->level, fact->cause, "%s: %s, %s", fact->name,
			    first ? fact->value : value, first ? value : fact->value))
			return -1;
	}
	return 0;
}

static int lonely(struct diff *diff, struct node *parent, const struct member *member, int side,
	struct error *err)
{
	struct node *node = node_new(member->name, "member");

	if (node) {
		node->ignored = compare_ignores(diff, member->name);
		if (node_say(node, LEVEL_DIFFERENT, NULL, "only in %s", side ? "B" : "A") == 0 &&
			node_add(parent, node) == 0)
			return 0;
	}
	return error_set(err, ENOMEM, "cannot compare %s", member->name);
}

static enum compared no_bytes(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	(void)diff, (void)node, (void)pair, (void)err;
	return COMPARED;
}

static int say_member(struct node *node, const struct member *a, const struct member *b)
{
	const char *packed = a->packed ? a->packed : b->packed;

	if (packed && node->level != LEVEL_BITS &&
		node_say(node, LEVEL_STRUCTURE, NULL, "not looked into: %s", packed))
		return -1;
	return say_facts(node, a, b, true) || say_facts(node, b, a, false) ? -1 : 0;
}

static struct node *compare_loaded(
	struct diff *diff, struct member *a, struct member *b, struct error *err)
{
	const struct pair pair = { a->blob, b->blob };
	bool both = a->has_bytes && b->has_bytes;
	struct node *node = compare_pair(
		diff, a->name, &pair, both ? NULL : no_bytes, both ? NULL : "member", err);

	if (node && node->level == LEVEL_BITS)
		node->format = "member"; /* which its bytes are, was not asked */
	if (node && say_member(node, a, b)) {
		node_free(node);
		error_set(err, ENOMEM, "cannot compare %s", a->name);
		return NULL;
	}
	return node;
}

static struct node *load_and_compare(struct diff *diff, struct member *a, struct member *b,
	const struct members_loader *loader, struct error *err)
{
	struct node *node = NULL;

	if (!a->has_bytes || !b->has_bytes || a->same_bytes)
		return compare_loaded(diff, a, b, err);
	if (loader->load(loader->context, a, 0, err))
		return NULL;
	if (loader->load(loader->context, b, 1, err) == 0) {
		node = compare_loaded(diff, a, b, err);
		loader->drop(loader->context, b, 1);
	}
	loader->drop(loader->context, a, 0);
	return node;
}

/* Most members of most archives are equal: they are only counted. */
static bool is_equal(const struct member *a, const struct member *b)
{
	return a->same_bytes && !a->fact_count && !b->fact_count;
}

static int compare_two(struct diff *diff, struct node *parent, struct member *a, struct member *b,
	const struct members_loader *loader, struct error *err)
{
	bool ignored = compare_ignores(diff, a->name), late = loader && loader->facts && !ignored;
	struct node *node;

	if (late && loader->facts(loader->context, a, b, err))
		return -1;
	if (!ignored && is_equal(a, b)) {
		node_count_equal(parent, 1);
		return 0;
	}
	node = loader && !ignored ? load_and_compare(diff, a, b, loader, err)
				  : compare_loaded(diff, a, b, err);
	if (late) {
		free_facts(a);
		free_facts(b);
	}
	if (!node)
		return -1;
	return node_add(parent, node) ? error_set(err, ENOMEM, "cannot compare %s", a->name) : 0;
}

/* Do those that both have come in another order? */
struct matched {
	uint64_t a, b;
};

static int by_place(const void *a, const void *b)
{
	const struct matched *one = a, *other = b;

	return (one->a > other->a) - (one->a < other->a);
}

static int say_order(struct node *node, struct matched *matched, size_t count)
{
	qsort(matched, count, sizeof(*matched), by_place);
	for (size_t i = 1; i < count; i++)
		if (matched[i].b < matched[i - 1].b)
			return node_say(node, LEVEL_CONTENT, CAUSE_ORDER,
				"the members come in another order");
	return 0;
}

int members_compare(struct diff *diff, struct node *node, struct members *a, struct members *b,
	const struct members_loader *loader, struct error *err)
{
	struct matched *matched = calloc(a->count + 1, sizeof(*matched));
	size_t i = 0, k = 0, both = 0;
	int failed = 0;

	if (!matched)
		return error_set(err, ENOMEM, "cannot compare members");
	if (a->count)
		qsort(a->list, a->count, sizeof(*a->list), by_name);
	if (b->count)
		qsort(b->list, b->count, sizeof(*b->list), by_name);
	while (!failed && (i < a->count || k < b->count)) {
		int order = i == a->count   ? 1
			    : k == b->count ? -1
					    : strcmp(a->list[i].name, b->list[k].name);

		if (order == 0) {
			matched[both++] = (struct matched){ a->list[i].order, b->list[k].order };
			failed = compare_two(diff, node, &a->list[i++], &b->list[k++], loader, err);
		} else if (order < 0) {
			failed = lonely(diff, node, &a->list[i++], 0, err);
		} else {
			failed = lonely(diff, node, &b->list[k++], 1, err);
		}
	}
	if (!failed && say_order(node, matched, both))
		failed = error_set(err, ENOMEM, "cannot compare members");
	free(matched);
	return failed;
}
