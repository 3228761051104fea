#include "diff/myers.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"

#define STEPS_LEAST 256	       /* after so many the way need not be the shortest */
#define WORK_MOST   1000000000 /* comparisons of all */

/* Numbers that both sequences have, with where they come from. */
struct sequence {
	uint32_t *ids;
	uint64_t *places;
	int64_t count;
	bool *changed; /* by place */
};

struct search {
	struct sequence a, b;
	int64_t *forward, *backward; /* by diagonal: how far in A one gets */
	int64_t most_steps;
	int64_t work; /* that is left */
};

/* A part of both. */
struct box {
	int64_t a, a_end, b, b_end;
};

static void mark_a(struct search *search, int64_t at)
{
	search->a.changed[search->a.places[at]] = true;
}

static void mark_b(struct search *search, int64_t at)
{
	search->b.changed[search->b.places[at]] = true;
}

static void mark_all(struct search *search, const struct box *box)
{
	for (int64_t i = box->a; i < box->a_end; i++)
		mark_a(search, i);
	for (int64_t i = box->b; i < box->b_end; i++)
		mark_b(search, i);
}

static void shrink(const struct search *search, struct box *box)
{
	const uint32_t *a = search->a.ids, *b = search->b.ids;

	while (box->a < box->a_end && box->b < box->b_end && a[box->a] == b[box->b]) {
		box->a++;
		box->b++;
	}
	while (box->a < box->a_end && box->b < box->b_end &&
		a[box->a_end - 1] == b[box->b_end - 1]) {
		box->a_end--;
		box->b_end--;
	}
}

/* The diagonals that are looked at; a diagonal is a place in A minus one in B. */
struct range {
	int64_t low, high, least, most;
};

/* One diagonal more at each side, but for those outside of the box. */
static void widen(struct range *range, int64_t *line, int64_t unset)
{
	if (range->low > range->least)
		line[--range->low - 1] = unset;
	else
		range->low++;
	if (range->high < range->most)
		line[++range->high + 1] = unset;
	else
		range->high--;
}

struct middle {
	int64_t a, b;
	bool found;
};

/* From the start, one step more on each diagonal. */
static struct middle step_forward(struct search *search, const struct box *box,
	struct range *forward, const struct range *backward, bool odd)
{
	const uint32_t *a = search->a.ids, *b = search->b.ids;

	widen(forward, search->forward, -1);
	for (int64_t diagonal = forward->high; diagonal >= forward->low; diagonal -= 2) {
		int64_t below = search->forward[diagonal - 1],
			above = search->forward[diagonal + 1];
		int64_t at = below >= above ? below + 1 : above;

		while (at < box->a_end && at - diagonal < box->b_end && a[at] == b[at - diagonal])
			at++;
		search->forward[diagonal] = at;
		search->work--;
		if (odd && diagonal >= backward->low && diagonal <= backward->high &&
			search->backward[diagonal] <= at)
			return (struct middle){ at, at - diagonal, true };
	}
	return (struct middle){ 0 };
}

/* The same from the end. */
static struct middle step_backward(struct search *search, const struct box *box,
	struct range *backward, const struct range *forward, bool odd)
{
	const uint32_t *a = search->a.ids, *b = search->b.ids;

	widen(backward, search->backward, INT64_MAX);
	for (int64_t diagonal = backward->high; diagonal >= backward->low; diagonal -= 2) {
		int64_t below = search->backward[diagonal - 1],
			above = search->backward[diagonal + 1];
		int64_t at = below < above ? below : above - 1;

		while (at > box->a && at - diagonal > box->b && a[at - 1] == b[at - diagonal - 1])
			at--;
		search->backward[diagonal] = at;
		search->work--;
		if (!odd && diagonal >= forward->low && diagonal <= forward->high &&
			at <= search->forward[diagonal])
			return (struct middle){ at, at - diagonal, true };
	}
	return (struct middle){ 0 };
}

/* Where the way from the start got farthest. */
static struct middle farthest(
	const struct search *search, const struct box *box, const struct range *forward)
{
	struct middle best = { box->a, box->b, true };

	for (int64_t diagonal = forward->low; diagonal <= forward->high; diagonal += 2) {
		int64_t a = search->forward[diagonal], b;

		a = a < box->a_end ? a : box->a_end;
		b = a - diagonal;
		if (b > box->b_end) {
			b = box->b_end;
			a = b + diagonal;
		}
		if (a >= box->a && b >= box->b && a + b > best.a + best.b)
			best = (struct middle){ a, b, true };
	}
	return best;
}

/* A point that a shortest way leads through; neither side of the box is empty. */
static struct middle find_middle(struct search *search, const struct box *box)
{
	int64_t start = box->a - box->b, end = box->a_end - box->b_end;
	int64_t least = box->a - box->b_end, most = box->a_end - box->b;
	struct range forward = { start, start, least, most }, backward = { end, end, least, most };
	bool odd = (start - end) & 1;

	search->forward[start] = box->a;
	search->backward[end] = box->a_end;
	for (int64_t steps = 1;; steps++) {
		struct middle middle = step_forward(search, box, &forward, &backward, odd);

		if (!middle.found)
			middle = step_backward(search, box, &backward, &forward, odd);
		if (middle.found)
			return middle;
		if (steps >= search->most_steps)
			return farthest(search, box, &forward);
		if (search->work < 0)
			return middle;
	}
}

static void compare(struct search *search, struct box box)
{
	for (;;) {
		struct middle middle;

		shrink(search, &box);
		if (box.a == box.a_end || box.b == box.b_end || search->work < 0) {
			mark_all(search, &box);
			return;
		}
		middle = find_middle(search, &box);
		if (!middle.found) {
			mark_all(search, &box);
			return;
		}
		compare(search, (struct box){ box.a, middle.a, box.b, middle.b });
		box.a = middle.a;
		box.b = middle.b;
	}
}

/* Leaves out, as changed, what the other side does not have at all. */
static int take_common(
	struct sequence *sequence, const uint32_t *ids, uint64_t count, const bool *others)
{
	sequence->ids = malloc((count + 1) * sizeof(*sequence->ids));
	sequence->places = malloc((count + 1) * sizeof(*sequence->places));
	sequence->changed = calloc(count + 1, sizeof(*sequence->changed));
	if (!sequence->ids || !sequence->places || !sequence->changed)
		return -1;
	for (uint64_t i = 0; i < count; i++) {
		if (!others[ids[i]]) {
			sequence->changed[i] = true;
			continue;
		}
		sequence->ids[sequence->count] = ids[i];
		sequence->places[sequence->count++] = i;
	}
	return 0;
}

static int take_sides(struct search *search, const uint32_t *a, uint64_t a_count, const uint32_t *b,
	uint64_t b_count, uint32_t ids)
{
	cleanup_free bool *in_a = calloc((size_t)ids + 1, sizeof(*in_a));
	cleanup_free bool *in_b = calloc((size_t)ids + 1, sizeof(*in_b));

	if (!in_a || !in_b)
		return -1;
	for (uint64_t i = 0; i < a_count; i++)
		in_a[a[i]] = true;
	for (uint64_t i = 0; i < b_count; i++)
		in_b[b[i]] = true;
	return take_common(&search->a, a, a_count, in_b) ||
			       take_common(&search->b, b, b_count, in_a)
		       ? -1
		       : 0;
}

static int search_changes(struct search *search)
{
	int64_t diagonals = search->a.count + search->b.count + 3;
	cleanup_free int64_t *lines = calloc((size_t)diagonals, 2 * sizeof(*lines));

	if (!lines)
		return -1;
	/* Diagonals go from -(count of B) - 1 to (count of A) + 1. */
	search->forward = lines + search->b.count + 1;
	search->backward = lines + diagonals + search->b.count + 1;
	search->work = WORK_MOST;
	search->most_steps = STEPS_LEAST;
	while (search->most_steps * search->most_steps < diagonals)
		search->most_steps *= 2;
	compare(search, (struct box){ 0, search->a.count, 0, search->b.count });
	return 0;
}

static int list_changes(
	const struct search *search, uint64_t a_count, uint64_t b_count, struct changes *changes)
{
	uint64_t a = 0, b = 0;

	while (a < a_count || b < b_count) {
		struct change change = { .a = a, .b = b };

		while (a < a_count && search->a.changed[a])
			a++;
		while (b < b_count && search->b.changed[b])
			b++;
		change.a_count = a - change.a;
		change.b_count = b - change.b;
		if ((change.a_count || change.b_count) && changes_add(changes, &change))
			return -1;
		a += a < a_count;
		b += b < b_count;
	}
	return 0;
}

static void sequence_release(struct sequence *sequence)
{
	free(sequence->ids);
	free(sequence->places);
	free(sequence->changed);
}

int myers(const uint32_t *a, uint64_t a_count, const uint32_t *b, uint64_t b_count, uint32_t ids,
	struct changes *changes)
{
	struct search search = { 0 };
	int failed = take_sides(&search, a, a_count, b, b_count, ids) || search_changes(&search) ||
		     list_changes(&search, a_count, b_count, changes);

	sequence_release(&search.a);
	sequence_release(&search.b);
	return failed ? -1 : 0;
}
