#include "diff/text_excerpt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff/resync.h"

#define LINE_MOST   160 /* bytes of a line */
#define LINE_BEFORE 60	/* of these before what differs */
#define LINES_MOST  200 /* of an excerpt */

struct excerpt {
	const struct lines *lines;
	const struct changes *changes;
	const char *const *causes;
	const char *cause;
	FILE *out;
	uint64_t left; /* lines that may still be shown */
};

/* No character is cut in two. */
static uint64_t to_character(const struct blob *line, uint64_t at)
{
	while (at < line->size && (line->data[at] & 0xc0) == 0x80)
		at++;
	return at;
}

static void put_line(FILE *out, char sign, const struct blob *line, uint64_t focus)
{
	uint64_t start = 0, end = line->size;

	if (line->size > LINE_MOST) {
		start = focus > LINE_BEFORE ? focus - LINE_BEFORE : 0;
		if (start > line->size - LINE_MOST)
			start = line->size - LINE_MOST;
		end = to_character(line, start + LINE_MOST);
		start = to_character(line, start);
	}
	fprintf(out, "%c%s", sign, start ? "..." : "");
	for (uint64_t i = start; i < end; i++) /* a string ends at the first NUL */
		fputc(line->data[i] ? line->data[i] : ' ', out);
	fputs(end < line->size ? "...\n" : "\n", out);
}

static void put(
	struct excerpt *excerpt, char sign, const struct side *side, uint64_t index, uint64_t focus)
{
	struct blob line = lines_at(excerpt->lines, side, index);

	if (!excerpt->left)
		return;
	excerpt->left--;
	put_line(excerpt->out, sign, &line, focus);
	if (index + 1 == side->count && side->starts[index + 1] == side->text->size &&
		!side->ends_in_newline)
		fputs("\\ no newline at the end\n", excerpt->out);
}

/* Of lines that stand for each other: where they part. */
static uint64_t find_focus(const struct excerpt *excerpt, const struct change *change, uint64_t i)
{
	struct blob a, b;

	if (i >= change->a_count || i >= change->b_count)
		return 0;
	a = lines_at(excerpt->lines, &excerpt->lines->a, change->a + i);
	b = lines_at(excerpt->lines, &excerpt->lines->b, change->b + i);
	return common_prefix(a.data, b.data, a.size < b.size ? a.size : b.size);
}

static void put_change(struct excerpt *excerpt, const struct change *change)
{
	for (uint64_t i = 0; i < change->a_count && excerpt->left; i++)
		put(excerpt, '-', &excerpt->lines->a, change->a + i,
			find_focus(excerpt, change, i));
	for (uint64_t i = 0; i < change->b_count && excerpt->left; i++)
		put(excerpt, '+', &excerpt->lines->b, change->b + i,
			find_focus(excerpt, change, i));
}

static void put_context(struct excerpt *excerpt, uint64_t from, uint64_t to)
{
	for (uint64_t i = from; i < to; i++)
		put(excerpt, ' ', &excerpt->lines->a, i, 0);
}

static bool is_shown(const struct excerpt *excerpt, size_t i)
{
	return i < excerpt->changes->count && excerpt->causes[i] == excerpt->cause;
}

static uint64_t a_end(const struct change *change)
{
	return change->a + change->a_count;
}

/* How many equal lines are before a change, at most those of a context. */
static uint64_t context_before(const struct excerpt *excerpt, size_t i)
{
	const struct change *list = excerpt->changes->list;
	uint64_t equal = list[i].a - (i ? a_end(&list[i - 1]) : 0);

	return equal < LINES_CONTEXT ? equal : LINES_CONTEXT;
}

static uint64_t context_after(const struct excerpt *excerpt, size_t i)
{
	const struct changes *changes = excerpt->changes;
	uint64_t end = i + 1 < changes->count ? changes->list[i + 1].a : excerpt->lines->a.count;
	uint64_t equal = end - a_end(&changes->list[i]);

	return equal < LINES_CONTEXT ? equal : LINES_CONTEXT;
}

/* The last change that is near enough to stand in one hunk with the first. */
static size_t last_of_hunk(const struct excerpt *excerpt, size_t first)
{
	const struct change *list = excerpt->changes->list;
	size_t last = first;

	while (is_shown(excerpt, last + 1) &&
		list[last + 1].a - a_end(&list[last]) <= 2ull * LINES_CONTEXT)
		last++;
	return last;
}

static void put_hunk(struct excerpt *excerpt, size_t first, size_t last)
{
	const struct change *list = excerpt->changes->list;
	uint64_t before = context_before(excerpt, first), after = context_after(excerpt, last);
	uint64_t a = list[first].a - before, b = list[first].b - before;
	unsigned long long a_start = excerpt->lines->before + 1 + a,
			   b_start = excerpt->lines->before + 1 + b,
			   a_lines = a_end(&list[last]) + after - a,
			   b_lines = list[last].b + list[last].b_count + after - b;

	fprintf(excerpt->out, "@@ -%llu,%llu +%llu,%llu @@\n", a_start, a_lines, b_start, b_lines);
	for (size_t i = first; i <= last && excerpt->left; i++) {
		put_context(excerpt, i == first ? a : a_end(&list[i - 1]), list[i].a);
		put_change(excerpt, &list[i]);
	}
	put_context(excerpt, a_end(&list[last]), a_end(&list[last]) + after);
}

char *text_excerpt(const struct lines *lines, const struct changes *changes,
	const char *const *causes, const char *cause)
{
	char *text = NULL;
	size_t bytes, i;
	struct excerpt excerpt = { lines, changes, causes, cause, open_memstream(&text, &bytes),
		LINES_MOST };

	if (!excerpt.out)
		return NULL;
	for (i = 0; i < changes->count && excerpt.left; i++) {
		size_t last;

		if (!is_shown(&excerpt, i))
			continue;
		last = last_of_hunk(&excerpt, i);
		put_hunk(&excerpt, i, last);
		i = last;
	}
	if (!excerpt.left)
		fputs(" ... and more\n", excerpt.out);
	if (fclose(excerpt.out) == 0)
		return text;
	free(text);
	return NULL;
}
