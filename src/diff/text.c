#include "diff/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/binary.h"
#include "diff/cause.h"
#include "diff/changes.h"
#include "diff/encoding.h"
#include "diff/line_order.h"
#include "diff/lines.h"
#include "diff/myers.h"
#include "diff/text_excerpt.h"

#define LINES_MEMORY (1ull << 30) /* for tables of lines */
#define CAUSES_MOST  10000	  /* changes that are asked for their cause */

typedef unsigned long long number;

bool text_is(const struct blob *blob)
{
	return encoding_of(blob) != ENCODING_NONE;
}

/* The work on one pair of texts. */
struct text {
	struct node *node;
	struct pair pair; /* in one encoding */
	struct lines lines;
	struct changes changes;
	const char **causes; /* of the changes */
};

static uint64_t count_crlf(const struct blob *text, uint64_t *newlines)
{
	const unsigned char *at = text->data, *end = at + text->size;
	uint64_t crlf = 0;

	*newlines = 0;
	while (at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
		crlf += at > text->data && at[-1] == '\r';
		++*newlines;
		at++;
	}
	return crlf;
}

static const char *ends_name(const struct blob *text)
{
	uint64_t newlines, crlf = count_crlf(text, &newlines);

	return !crlf ? "LF" : crlf == newlines ? "CRLF" : "LF and CRLF";
}

/* Lines that end otherwise are compared without their ends. */
static int say_ends(struct text *text, bool *differ)
{
	const char *a = ends_name(&text->pair.a), *b = ends_name(&text->pair.b);

	*differ = strcmp(a, b) != 0 && memchr(text->pair.a.data, '\n', text->pair.a.size) &&
		  memchr(text->pair.b.data, '\n', text->pair.b.size);
	return *differ ? node_say(text->node, LEVEL_STRUCTURE, NULL, "ends of lines: %s, %s", a, b)
		       : 0;
}

static int say_last_newline(struct text *text)
{
	const struct lines *lines = &text->lines;

	if (lines->a.ends_in_newline == lines->b.ends_in_newline)
		return 0;
	return node_say(text->node, LEVEL_STRUCTURE, NULL, "only %s has a newline at the end",
		lines->a.ends_in_newline ? "A" : "B");
}

/* One line each is compared; several are taken as a whole. */
static const char *cause_of_change(const struct lines *lines, const struct change *change)
{
	const struct side *a = &lines->a, *b = &lines->b;
	const uint64_t *starts = a->starts + change->a, *others = b->starts + change->b;

	if (!change->a_count || !change->b_count)
		return NULL;
	return cause_of_text((const char *)a->text->data + starts[0],
		starts[change->a_count] - starts[0], (const char *)b->text->data + others[0],
		others[change->b_count] - others[0]);
}

/* Lines that stand for each other one by one are changes of their own when their causes differ. */
static int split_changes(struct text *text)
{
	struct changes whole = text->changes;
	int failed = 0;

	text->changes = (struct changes){ 0 };
	for (size_t i = 0; i < whole.count && !failed; i++) {
		struct change change = whole.list[i];
		bool splits = change.a_count == change.b_count && change.a_count > 1 &&
			      text->changes.count < CAUSES_MOST;

		for (; splits && change.a_count && !failed; change.a_count--) {
			failed = changes_add(
				&text->changes, &(struct change){ change.a++, 1, change.b++, 1 });
		}
		if (!splits)
			failed = changes_add(&text->changes, &change);
	}
	changes_release(&whole);
	return failed;
}

static int find_causes(struct text *text)
{
	size_t count = text->changes.count;

	text->causes = calloc(count + 1, sizeof(*text->causes));
	if (!text->causes)
		return -1;
	for (size_t i = 0; i < count && i < CAUSES_MOST; i++)
		text->causes[i] = cause_of_change(&text->lines, &text->changes.list[i]);
	return 0;
}

/* What all changes of one cause are together. */
struct group {
	uint64_t replaced, removed, added, first;
};

static struct group sum(const struct text *text, const char *cause)
{
	struct group group = { .first = UINT64_MAX };

	for (size_t i = 0; i < text->changes.count; i++) {
		const struct change *change = &text->changes.list[i];
		uint64_t both =
			change->a_count < change->b_count ? change->a_count : change->b_count;

		if (text->causes[i] != cause)
			continue;
		if (group.first == UINT64_MAX)
			group.first = text->lines.before + change->a + 1;
		group.replaced += both;
		group.removed += change->a_count - both;
		group.added += change->b_count - both;
	}
	return group;
}

static int say_group(const struct text *text, const char *cause)
{
	struct group group = sum(text, cause);
	number all = text->lines.a.lines;
	int failed;

	if (!group.removed && !group.added)
		failed = node_say(text->node, LEVEL_STRUCTURE, cause,
			"%llu of %llu lines differ, the first is line %llu", (number)group.replaced,
			all, (number)group.first);
	else
		failed = node_say(text->node, LEVEL_DIFFERENT, cause,
			"of %llu lines %llu differ, %llu are removed, %llu added, the first at "
			"line %llu",
			all, (number)group.replaced, (number)group.removed, (number)group.added,
			(number)group.first);
	if (!failed)
		node_show(text->node,
			text_excerpt(&text->lines, &text->changes, text->causes, cause));
	return failed;
}

static bool is_first_of_cause(const struct text *text, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (text->causes[k] == text->causes[i])
			return false;
	return true;
}

/* Of the first changes all causes are there; looking through all of them would take long. */
static int say_groups(const struct text *text)
{
	for (size_t i = 0; i < text->changes.count && i <= CAUSES_MOST; i++)
		if (is_first_of_cause(text, i) && say_group(text, text->causes[i]))
			return -1;
	return 0;
}

static int say_reordered(struct text *text, const char *cause)
{
	text->causes = calloc(text->changes.count + 1, sizeof(*text->causes));
	if (!text->causes ||
		node_say(text->node, LEVEL_STRUCTURE, cause, "the same %llu lines in another order",
			(number)text->lines.a.lines))
		return -1;
	node_show(text->node, text_excerpt(&text->lines, &text->changes, text->causes, NULL));
	return 0;
}

static int say_changes(struct text *text)
{
	struct lines *lines = &text->lines;
	const char *cause;

	if (myers(lines->a.ids, lines->a.count, lines->b.ids, lines->b.count, lines->ids,
		    &text->changes) ||
		say_last_newline(text))
		return -1;
	if (!text->changes.count)
		return 0;
	cause = line_order_cause(lines);
	if (cause)
		return say_reordered(text, cause);
	return split_changes(text) || find_causes(text) || say_groups(text) ? -1 : 0;
}

static int compare_lines(struct text *text)
{
	bool ends_differ;
	int failed;

	if (say_ends(text, &ends_differ))
		return -1;
	failed = lines_split(&text->lines, &text->pair, ends_differ, LINES_MEMORY);
	if (failed)
		return failed;
	return say_changes(text);
}

static void text_release(struct text *text)
{
	lines_release(&text->lines);
	changes_release(&text->changes);
	free(text->causes);
}

/* Texts with too many lines to be held are compared as bytes. */
static enum compared compare_utf8(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct text text = { .node = node, .pair = *pair };
	int failed = compare_lines(&text);

	text_release(&text);
	if (failed < 0) {
		error_set(err, ENOMEM, "cannot compare %s", diff->path ? diff->path : node->name);
		return COMPARE_FAILED;
	}
	return failed ? binary_compare(diff, node, pair, err) : COMPARED;
}

static enum compared compare_converted(struct diff *diff, struct node *node,
	const struct pair *pair, const enum encoding encodings[2], struct error *err)
{
	enum compared compared = COMPARE_FAILED;
	struct pair same;

	if (encoding_convert(&pair->a, encodings[0], &diff->budget, &same.a, err))
		return COMPARE_FAILED;
	if (encoding_convert(&pair->b, encodings[1], &diff->budget, &same.b, err) == 0) {
		compared = blob_equal(&same.a, &same.b) ? COMPARED
							: compare_utf8(diff, node, &same, err);
		blob_unpacked_close(&same.b, &diff->budget);
	}
	blob_unpacked_close(&same.a, &diff->budget);
	return compared;
}

/* What is in ASCII is so in others as well. */
static bool are_compatible(enum encoding a, enum encoding b)
{
	if (a == ENCODING_ASCII)
		return b == ENCODING_ASCII || b == ENCODING_UTF8 || b == ENCODING_LATIN1;
	return a == b || (b == ENCODING_ASCII && are_compatible(b, a));
}

enum compared text_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	enum encoding encodings[2] = { encoding_of(&pair->a), encoding_of(&pair->b) };
	bool compatible = are_compatible(encodings[0], encodings[1]);

	if (!compatible && node_say(node, LEVEL_CONTENT, NULL, "encoding: %s, %s",
				   encoding_name(encodings[0]), encoding_name(encodings[1]))) {
		error_set(err, ENOMEM, "cannot compare %s", node->name);
		return COMPARE_FAILED;
	}
	if (compatible && encodings[0] != ENCODING_UTF16_LE && encodings[0] != ENCODING_UTF16_BE)
		return compare_utf8(diff, node, pair, err);
	return compare_converted(diff, node, pair, encodings, err);
}
