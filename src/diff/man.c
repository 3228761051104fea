#include "diff/man.h"

#include <errno.h>

#include "diff/cause.h"
#include "diff/man_page.h"
#include "diff/rest.h"
#include "diff/text.h"

#define SHOWN_MOST 200 /* characters of a date or a name */

/* A page begins with a control line, its first comment or its title, maybe behind empty lines. */
bool man_is(const struct blob *blob)
{
	uint64_t at = 0;

	while (blob_has(blob, at, "\n", 1))
		at++;
	return (blob_has(blob, at, ".", 1) || blob_has(blob, at, "'\\\"", 3)) &&
	       man_page_has_title(blob) && text_is(blob);
}

static bool are_equal(struct span a, struct span b)
{
	const struct blob one = { .data = (const unsigned char *)a.start, .size = a.size };
	const struct blob other = { .data = (const unsigned char *)b.start, .size = b.size };

	return blob_equal(&one, &other);
}

static int shown_size(struct span text)
{
	return text.size < SHOWN_MOST ? (int)text.size : SHOWN_MOST;
}

static int say(struct node *node, const char *what, const char *cause, struct span a, struct span b)
{
	if (are_equal(a, b))
		return 0;
	if (!a.size)
		a = span_of("none");
	if (!b.size)
		b = span_of("none");
	return node_say(node, LEVEL_CONTENT, cause, "%s: %.*s, %.*s", what, shown_size(a), a.start,
		shown_size(b), b.start);
}

/* Comments are not shown, whatever they say. */
static int say_comments(struct node *node, struct node *comments)
{
	for (size_t i = 0; i < comments->finding_count; i++) {
		struct finding *finding = &comments->findings[i];

		if (node_say(node, LEVEL_CONTENT, finding->cause, "of the comments: %s",
			    finding->what))
			return -1;
		node_show(node, finding->excerpt);
		finding->excerpt = NULL;
	}
	return 0;
}

static enum compared compare_comments(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct node *comments;
	enum compared compared;

	if (blob_equal(&pair->a, &pair->b))
		return COMPARED;
	comments = node_new("comments", "text");
	if (!comments)
		return COMPARE_FAILED;
	compared = text_compare(diff, comments, pair, err);
	if (compared == COMPARED && say_comments(node, comments))
		compared = COMPARE_FAILED;
	node_free(comments);
	return compared;
}

static enum compared compare_pages(struct diff *diff, struct node *node, const struct man_page *a,
	const struct man_page *b, struct error *err)
{
	const struct pair comments = { a->comments, b->comments }, shown = { a->shown, b->shown };
	enum compared compared;

	error_set(err, ENOMEM, "cannot compare %s", node->name);
	if (say(node, "date of the page", CAUSE_TIME, a->date, b->date) ||
		say(node, "made by", CAUSE_VERSION, a->maker, b->maker))
		return COMPARE_FAILED;
	compared = compare_comments(diff, node, &comments, err);
	if (compared == COMPARED && !blob_equal(&shown.a, &shown.b))
		compared = text_compare(diff, node, &shown, err);
	return compared;
}

enum compared man_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	enum compared compared = COMPARE_FAILED;
	struct man_page a, b;

	if (man_page_read(&a, &pair->a, &diff->budget, err))
		return COMPARE_FAILED;
	if (man_page_read(&b, &pair->b, &diff->budget, err) == 0) {
		compared = compare_pages(diff, node, &a, &b, err);
		man_page_release(&b, &diff->budget);
	}
	man_page_release(&a, &diff->budget);
	if (compared == COMPARED && rest_say_unknown(node, pair, LEVEL_CONTENT))
		compared = COMPARE_FAILED;
	return compared;
}
