#include "diff/binary.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "diff/cause.h"
#include "diff/changes.h"
#include "diff/hex.h"
#include "diff/resync.h"

#define RUN_GAP	    4	       /* so many equal bytes do not part two differing ones */
#define RUNS_MOST   10000      /* runs that are told apart */
#define CHUNK	    4096       /* that is looked at only if it differs at all */
#define SHIFT_LEAST 64	       /* fewer differing bytes are just that */
#define RESYNC_MOST (1u << 30) /* bytes among which insertions are looked for */
#define CAUSES_MOST 100	       /* places that are asked for their cause */
#define TEXT_LEAST  8	       /* fewer printable bytes may be parts of numbers */

typedef unsigned long long number;

bool binary_is(const struct blob *blob)
{
	(void)blob;
	return true;
}

/* The part that is left when what is equal at both ends is taken away. */
struct middle {
	uint64_t start, a_size, b_size;
};

static struct middle find_middle(const struct pair *pair)
{
	uint64_t least = pair->a.size < pair->b.size ? pair->a.size : pair->b.size;
	uint64_t start = common_prefix(pair->a.data, pair->b.data, least);
	uint64_t after = common_suffix(
		pair->a.data + pair->a.size, pair->b.data + pair->b.size, least - start);

	return (struct middle){ start, pair->a.size - start - after, pair->b.size - start - after };
}

/* Lengthens the last run, or begins a new one. */
static int add_differing(struct changes *runs, uint64_t at)
{
	struct change *last = runs->count ? &runs->list[runs->count - 1] : NULL;

	if (last && at - (last->a + last->a_count) < RUN_GAP)
		last->a_count = last->b_count = at + 1 - last->a;
	else if (runs->count < RUNS_MOST)
		return changes_add(runs, &(struct change){ at, 1, at, 1 });
	return 0;
}

/* Byte by byte, at the same places; *differing says how many. */
static int compare_in_place(const struct pair *pair, const struct middle *middle,
	struct changes *runs, uint64_t *differing)
{
	const unsigned char *a = pair->a.data, *b = pair->b.data;
	uint64_t end = middle->start + middle->a_size;

	*differing = 0;
	for (uint64_t at = middle->start; at < end;) {
		uint64_t next = at + CHUNK < end ? at + CHUNK : end;

		if (memcmp(a + at, b + at, next - at) == 0)
			at = next;
		for (; at < next; at++) {
			if (a[at] == b[at])
				continue;
			++*differing;
			if (add_differing(runs, at))
				return -1;
		}
	}
	return 0;
}

static int compare_shifted(
	const struct pair *pair, const struct middle *middle, struct changes *changes)
{
	uint64_t start = middle->start;

	if (middle->a_size > RESYNC_MOST || middle->b_size > RESYNC_MOST)
		return changes_add(
			changes, &(struct change){ start, middle->a_size, start, middle->b_size });
	if (resync(pair->a.data + start, middle->a_size, pair->b.data + start, middle->b_size,
		    changes))
		return -1;
	for (size_t i = 0; i < changes->count; i++) {
		changes->list[i].a += start;
		changes->list[i].b += start;
	}
	return 0;
}

static void sum(const struct changes *changes, uint64_t *a, uint64_t *b)
{
	*a = *b = 0;
	for (size_t i = 0; i < changes->count; i++) {
		*a += changes->list[i].a_count;
		*b += changes->list[i].b_count;
	}
}

/* ASCII only: most bytes of numbers would pass for letters of something else. */
static bool is_printable(unsigned char byte)
{
	return byte == '\t' || (byte >= ' ' && byte < 0x7f);
}

/* The text around a change, if it is in one. */
static struct blob text_around(const struct blob *blob, uint64_t at, uint64_t count)
{
	uint64_t start = at, end = at + count;

	while (start > 0 && at - start < 256 && is_printable(blob->data[start - 1]))
		start--;
	while (end < blob->size && end - at < 4096 && is_printable(blob->data[end]))
		end++;
	for (uint64_t i = at; i < at + count; i++)
		if (!is_printable(blob->data[i]))
			return blob_part(blob, at, 0, NULL);
	return blob_part(blob, start, end - start, NULL);
}

static const char *cause_of_change(const struct pair *pair, const struct change *change)
{
	struct blob a = text_around(&pair->a, change->a, change->a_count);
	struct blob b = text_around(&pair->b, change->b, change->b_count);

	if (a.size >= TEXT_LEAST && b.size >= TEXT_LEAST)
		return cause_of_text((const char *)a.data, a.size, (const char *)b.data, b.size);
	if (change->a_count > 4 || change->b_count > 4)
		return NULL;
	return cause_of_number(&pair->a, change->a, &pair->b, change->b);
}

static const char *find_cause(const struct pair *pair, const struct changes *changes)
{
	const char *cause = NULL;

	for (size_t i = 0; i < changes->count && i < CAUSES_MOST && !cause; i++)
		cause = cause_of_change(pair, &changes->list[i]);
	return cause;
}

static int say_in_place(struct node *node, const struct pair *pair, const struct changes *runs,
	uint64_t differing, uint64_t first)
{
	return node_say(node, LEVEL_STRUCTURE, find_cause(pair, runs),
		"%llu of %llu bytes differ, the first at 0x%llx", (number)differing,
		(number)pair->a.size, (number)first);
}

static int say_one_shift(struct node *node, const struct pair *pair, const struct change *change)
{
	const struct blob *a = &pair->a, *b = &pair->b;
	enum level level = a->size == b->size ? LEVEL_STRUCTURE : LEVEL_DIFFERENT;
	number all = a->size + b->size; /* of which one has none, where that is told */

	if (!a->size || !b->size)
		return node_say(node, level, NULL, "%s is empty, %s has %llu bytes",
			a->size ? "B" : "A", a->size ? "A" : "B", all);
	if (!change->a_count && change->a == a->size)
		return node_say(node, level, NULL, "B has %llu more bytes at the end, from 0x%llx",
			(number)change->b_count, (number)change->b);
	if (!change->b_count && change->b == b->size)
		return node_say(node, level, NULL, "A has %llu more bytes at the end, from 0x%llx",
			(number)change->a_count, (number)change->a);
	if (!change->a_count)
		return node_say(node, level, NULL,
			"%llu bytes are inserted at 0x%llx; of the rest all %llu are equal",
			(number)change->b_count, (number)change->b, (number)a->size);
	if (!change->b_count)
		return node_say(node, level, NULL,
			"%llu bytes are removed at 0x%llx; of the rest all %llu are equal",
			(number)change->a_count, (number)change->a, (number)b->size);
	return node_say(node, level, cause_of_change(pair, change),
		"%llu bytes at 0x%llx are replaced by %llu; sizes are %llu and %llu",
		(number)change->a_count, (number)change->a, (number)change->b_count,
		(number)a->size, (number)b->size);
}

static int say_shifts(struct node *node, const struct pair *pair, const struct changes *changes)
{
	enum level level = pair->a.size == pair->b.size ? LEVEL_STRUCTURE : LEVEL_DIFFERENT;
	uint64_t a, b;

	if (changes->count == 1)
		return say_one_shift(node, pair, changes->list);
	sum(changes, &a, &b);
	return node_say(node, level, find_cause(pair, changes),
		"%zu places differ, %llu bytes of %llu against %llu of %llu, the first at 0x%llx",
		changes->count, (number)a, (number)pair->a.size, (number)b, (number)pair->b.size,
		(number)changes->list[0].a);
}

/* Files of one size: when much differs in place, maybe something was inserted and something else
 * removed; that is told when it says it in far fewer bytes. */
static bool is_better(const struct changes *shifts, uint64_t differing)
{
	uint64_t a, b;

	sum(shifts, &a, &b);
	return a + b < differing / 2;
}

static int compare(
	struct node *node, const struct pair *pair, struct changes *runs, struct changes *shifts)
{
	struct middle middle = find_middle(pair);
	bool in_place = pair->a.size == pair->b.size, shifted = !in_place;
	uint64_t differing = 0;
	int failed;

	if (in_place && compare_in_place(pair, &middle, runs, &differing))
		return -1;
	if (!in_place || (differing > SHIFT_LEAST && differing > middle.a_size / 4)) {
		if (compare_shifted(pair, &middle, shifts))
			return -1;
		shifted = !in_place || is_better(shifts, differing);
	}
	failed = shifted ? say_shifts(node, pair, shifts)
			 : say_in_place(node, pair, runs, differing, middle.start);
	if (!failed)
		node_show(node, hex_excerpt(pair, shifted ? shifts : runs));
	return failed;
}

enum compared binary_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct changes runs = { 0 }, shifts = { 0 };
	int failed = blob_equal(&pair->a, &pair->b) ? 0 : compare(node, pair, &runs, &shifts);

	changes_release(&runs);
	changes_release(&shifts);
	if (!failed)
		return COMPARED;
	error_set(err, ENOMEM, "cannot compare %s", diff->path ? diff->path : node->name);
	return COMPARE_FAILED;
}
