#include "diff/dwarf_pieces.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/cause.h"

/* The work on two sections. */
struct work {
	struct diff *diff;
	const struct dwarf_pieces_kind *kind;
	void *const *sides;
	bool refer_to_same;
	struct blob texts[2]; /* of the pair that is compared */
	bool written[2];      /* these are to be closed */
	size_t moved;	      /* pairs that differ only in addresses and places */
	size_t rewritten;     /* pairs that do not even differ there, but in their bytes */
};

static void close_texts(struct work *work)
{
	for (int side = 0; side < 2; side++) {
		if (work->written[side])
			blob_unpacked_close(&work->texts[side], &work->diff->budget);
		work->written[side] = false;
	}
}

/* Of both, or of none: lines are not compared with bytes. */
static int write_texts(struct work *work, const uint64_t pieces[2], bool exact, struct error *err)
{
	enum compared written = COMPARED;

	for (int side = 0; side < 2 && written == COMPARED; side++) {
		written = work->kind->write(work->diff, work->sides[side], pieces[side], exact,
			&work->texts[side], err);
		work->written[side] = written == COMPARED;
	}
	if (written == COMPARED)
		return 0;
	close_texts(work);
	for (int side = 0; side < 2; side++)
		work->texts[side] = work->kind->bytes(work->sides[side], pieces[side]);
	return written == NOT_THIS ? 0 : -1;
}

static bool are_same(const struct work *work)
{
	return blob_equal(&work->texts[0], &work->texts[1]);
}

/* How the pieces of a pair differ. */
enum difference { DIFFERENCE_NONE, DIFFERENCE_PLACES, DIFFERENCE_LINES };

/* When lines are the same, those that leave nothing out tell more. */
static int write_pair(
	struct work *work, const uint64_t pieces[2], enum difference *difference, struct error *err)
{
	*difference = DIFFERENCE_LINES;
	if (write_texts(work, pieces, false, err))
		return -1;
	if (!work->written[0] || !are_same(work))
		return 0;
	close_texts(work);
	if (write_texts(work, pieces, true, err))
		return -1;
	if (!work->written[0])
		return 0;
	*difference = are_same(work) ? DIFFERENCE_NONE : DIFFERENCE_PLACES;
	close_texts(work);
	return 0;
}

static int look(void *context, struct member *a, struct member *b, struct error *err)
{
	struct work *work = context;
	const uint64_t pieces[2] = { a->at, b->at };
	const struct blob bytes = work->kind->bytes(work->sides[0], a->at);
	const struct blob others = work->kind->bytes(work->sides[1], b->at);
	bool equal = blob_equal(&bytes, &others);
	enum difference difference = DIFFERENCE_NONE;

	if (!equal || !work->refer_to_same) {
		if (work->kind->look)
			work->kind->look(work->sides, a->at, b->at);
		if (write_pair(work, pieces, &difference, err))
			return -1;
	}
	work->moved += difference == DIFFERENCE_PLACES;
	work->rewritten += difference == DIFFERENCE_NONE && !equal;
	a->same_bytes = b->same_bytes = difference != DIFFERENCE_LINES;
	return 0;
}

static int load(void *context, struct member *member, int side, struct error *err)
{
	const struct work *work = context;

	(void)err;
	member->blob = work->texts[side];
	member->blob.mapping = NULL; /* it is closed here */
	return 0;
}

static void drop(void *context, struct member *member, int side)
{
	struct work *work = context;

	member->blob = (struct blob){ 0 };
	if (work->written[side])
		blob_unpacked_close(&work->texts[side], &work->diff->budget);
	work->written[side] = false;
}

/* Addresses are not random here, and ids follow from what they are for. */
static void drop_causes_of_addresses(struct node *node)
{
	for (size_t i = 0; i < node->finding_count; i++) {
		const char **cause = &node->findings[i].cause;

		if (*cause &&
			(strcmp(*cause, CAUSE_RANDOM) == 0 || strcmp(*cause, CAUSE_HASH) == 0))
			*cause = NULL;
	}
}

/* Most pieces of a program differ so when a function got longer: one finding is for all. */
static int say_counts(const struct work *work, struct node *node)
{
	if (work->kind->say && work->kind->say(work->sides, node))
		return -1;
	if (work->moved &&
		node_say(node, LEVEL_STRUCTURE, NULL, "%s: %zu", work->kind->moved, work->moved))
		return -1;
	return work->rewritten ? node_say(node, LEVEL_CONTENT, NULL, "%s: %zu", work->kind->same,
					 work->rewritten)
			       : 0;
}

static enum compared no_memory(const struct node *node, struct error *err)
{
	error_set(err, ENOMEM, "cannot compare %s", node->name);
	return COMPARE_FAILED;
}

static enum compared compare_lists(
	struct work *work, struct node *node, struct members lists[2], struct error *err)
{
	const struct members_loader loader = {
		.context = work, .facts = look, .load = load, .drop = drop
	};
	int failed = members_compare(work->diff, node, &lists[0], &lists[1], &loader, err);

	close_texts(work);
	if (failed)
		return COMPARE_FAILED;
	for (size_t i = 0; i < node->child_count; i++)
		drop_causes_of_addresses(node->children[i]);
	if (say_counts(work, node))
		return no_memory(node, err);
	return node->level != LEVEL_BITS || node->ignored_objects ? COMPARED : NOT_THIS;
}

/* The only piece of an object file stands for that of the other, whatever their names are. */
static int pair_only_ones(struct members lists[2])
{
	char *name;

	if (lists[0].count != 1 || lists[1].count != 1)
		return 0;
	name = strdup(lists[0].list[0].name);
	if (!name)
		return -1;
	free(lists[1].list[0].name);
	lists[1].list[0].name = name;
	return 0;
}

enum compared dwarf_pieces_compare(struct diff *diff, struct node *node,
	const struct dwarf_pieces_kind *kind, void *const sides[2], bool refer_to_same,
	struct error *err)
{
	struct work work = {
		.diff = diff, .kind = kind, .sides = sides, .refer_to_same = refer_to_same
	};
	struct members lists[2] = { 0 };
	enum compared compared = COMPARED;

	for (int side = 0; side < 2 && compared == COMPARED; side++)
		if (kind->list(sides[side], diff, &lists[side], err))
			compared = COMPARE_FAILED;
	if (compared == COMPARED && pair_only_ones(lists))
		compared = no_memory(node, err);
	if (compared == COMPARED)
		compared = compare_lists(&work, node, lists, err);
	members_release(diff, &lists[0]);
	members_release(diff, &lists[1]);
	return compared;
}
