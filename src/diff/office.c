#include "diff/office.h"

#include <errno.h>
#include <string.h>

#include "diff/cause.h"
#include "diff/rest.h"
#include "diff/span.h"
#include "diff/text.h"
#include "diff/xml.h"
#include "diff/xml_lines.h"

#define ROOT_WITHIN 1024 /* where the first element is */
#define SHOWN_MOST  200	 /* characters of a value */

/* Elements whose text is bookkeeping. */
static const struct {
	const char *name, *what, *cause;
} kept[] = {
	{ "dcterms:created", "created", CAUSE_TIME },
	{ "dcterms:modified", "modified", CAUSE_TIME },
	{ "cp:lastPrinted", "printed", CAUSE_TIME },
	{ "cp:lastModifiedBy", "modified by", CAUSE_OWNER },
	{ "cp:revision", "revision", NULL },
	{ "TotalTime", "minutes of work", CAUSE_TIME },
	{ "Application", "written by", CAUSE_VERSION },
	{ "AppVersion", "version of that", CAUSE_VERSION },
	{ "meta:creation-date", "created", CAUSE_TIME },
	{ "dc:date", "modified", CAUSE_TIME },
	{ "meta:print-date", "printed", CAUSE_TIME },
	{ "meta:editing-duration", "time of work", CAUSE_TIME },
	{ "meta:editing-cycles", "revision", NULL },
	{ "meta:generator", "written by", CAUSE_VERSION },
};
#define KEPT (sizeof(kept) / sizeof(kept[0]))

bool office_is(const struct blob *blob)
{
	static const char *const roots[] = { "<cp:coreProperties", "<office:document-meta",
		"officeDocument/2006/extended-properties" };
	size_t size = blob->size < ROOT_WITHIN ? blob->size : ROOT_WITHIN;

	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		if (memmem(blob->data, size, roots[i], strlen(roots[i])))
			return xml_is(blob);
	return false;
}

/* One document: its lines, of which those that are kept are only looked at. */
struct properties {
	struct blob lines;
	struct blob rest;
	struct span values[KEPT];
};

static struct span trimmed(struct span line)
{
	while (line.size && *line.start == ' ') {
		line.start++;
		line.size--;
	}
	return line;
}

/* Which of those that are kept begins here; KEPT for none. */
static size_t find_kept(struct span line)
{
	line = trimmed(line);
	for (size_t i = 0; i < KEPT; i++) {
		size_t size = strlen(kept[i].name);

		if (line.size > size + 1 && line.start[0] == '<' &&
			memcmp(line.start + 1, kept[i].name, size) == 0 &&
			(line.start[size + 1] == '>' || line.start[size + 1] == ' '))
			return i;
	}
	return KEPT;
}

static struct span next_line(const struct blob *lines, uint64_t *at)
{
	const char *start = (const char *)lines->data + *at;
	const char *end = memchr(start, '\n', lines->size - *at);
	size_t size = end ? (size_t)(end - start) : lines->size - *at;

	*at += size + (end != NULL);
	return (struct span){ start, size };
}

/* A text of one line, "|2026-11-15T10:00:00Z|", without what xml_lines puts around it. */
static bool read_value(struct span line, struct span *value)
{
	line = trimmed(line);
	if (line.size < 2 || line.start[0] != '|' || line.start[line.size - 1] != '|')
		return false;
	*value = (struct span){ line.start + 1, line.size - 2 };
	return true;
}

/* The first of each name; what comes again is no bookkeeping that anybody knows. */
static int split(struct properties *properties, struct blob_writer *writer, struct error *err)
{
	const struct blob *lines = &properties->lines;

	for (uint64_t at = 0, next; at < lines->size; at = next) {
		struct span line;
		size_t found;

		next = at;
		line = next_line(lines, &next);
		found = find_kept(line);
		if (blob_write(writer, lines->data + at, next - at, err))
			return -1;
		if (found == KEPT || next == lines->size || properties->values[found].start)
			continue;
		at = next;
		line = next_line(lines, &next);
		if (!read_value(line, &properties->values[found]))
			next = at;
	}
	return 0;
}

static enum compared read_properties(struct properties *properties, struct diff *diff,
	const struct blob *blob, struct error *err)
{
	struct blob_writer writer;
	enum compared made;

	*properties = (struct properties){ 0 };
	made = xml_lines_make(diff, blob, &properties->lines, err);
	if (made != COMPARED)
		return made;
	blob_write_start(&writer, &diff->budget);
	if (split(properties, &writer, err))
		blob_write_cancel(&writer);
	else if (blob_write_finish(&writer, &properties->rest, NULL, err) == 0)
		return COMPARED;
	blob_unpacked_close(&properties->lines, &diff->budget);
	return COMPARE_FAILED;
}

static void release(struct properties *properties, struct diff *diff)
{
	blob_unpacked_close(&properties->lines, &diff->budget);
	blob_unpacked_close(&properties->rest, &diff->budget);
}

static int shown_size(struct span value)
{
	return value.size < SHOWN_MOST ? (int)value.size : SHOWN_MOST;
}

static int say_values(struct node *node, const struct properties *a, const struct properties *b)
{
	for (size_t i = 0; i < KEPT; i++) {
		struct span one = a->values[i].start ? a->values[i] : span_of("none");
		struct span other = b->values[i].start ? b->values[i] : span_of("none");

		if (one.size == other.size && memcmp(one.start, other.start, one.size) == 0)
			continue;
		if (node_say(node, LEVEL_CONTENT, kept[i].cause, "%s: %.*s, %.*s", kept[i].what,
			    shown_size(one), one.start, shown_size(other), other.start))
			return -1;
	}
	return 0;
}

static enum compared compare_two(struct diff *diff, struct node *node, const struct properties *a,
	const struct properties *b, struct error *err)
{
	const struct pair rest = { a->rest, b->rest };

	error_set(err, ENOMEM, "cannot compare %s", node->name);
	if (say_values(node, a, b))
		return COMPARE_FAILED;
	return blob_equal(&rest.a, &rest.b) ? COMPARED : text_compare(diff, node, &rest, err);
}

enum compared office_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct properties a, b;
	enum compared compared = read_properties(&a, diff, &pair->a, err);

	if (compared != COMPARED)
		return compared;
	compared = read_properties(&b, diff, &pair->b, err);
	if (compared == COMPARED) {
		compared = compare_two(diff, node, &a, &b, err);
		release(&b, diff);
	}
	release(&a, diff);
	if (compared == COMPARED && rest_say_unknown(node, pair, LEVEL_CONTENT))
		compared = COMPARE_FAILED;
	return compared;
}
