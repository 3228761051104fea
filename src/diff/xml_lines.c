#include "diff/xml_lines.h"

#include <errno.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>

#define PIECE	    (1u << 20)	/* that is parsed at a time */
#define TEXT_MOST   (16u << 20) /* bytes between two tags */
#define INDENT_MOST 32

struct lines {
	XML_Parser parser;
	struct blob_writer writer;
	struct error *err;
	enum compared done;
	unsigned depth;
	bool leaf;	 /* nothing but text came since an element began */
	bool all_blanks; /* matter */
	char *text;	 /* since the last tag */
	size_t text_size, text_room;
};

static void stop(struct lines *lines, enum compared done)
{
	if (lines->done == COMPARED)
		lines->done = done;
	XML_StopParser(lines->parser, XML_FALSE);
}

static void put(struct lines *lines, const char *bytes, size_t count)
{
	if (lines->done == COMPARED && blob_write(&lines->writer, bytes, count, lines->err))
		stop(lines, COMPARE_FAILED);
}

static void put_word(struct lines *lines, const char *word)
{
	put(lines, word, strlen(word));
}

/* Line ends within one line are marked. */
static void put_value(struct lines *lines, const char *value)
{
	for (;;) {
		size_t plain = strcspn(value, "\n\r\"\\");
		char mark[2] = { '\\' };

		put(lines, value, plain);
		value += plain;
		if (!*value)
			return;
		mark[1] = *value == '\n' ? 'n' : *value == '\r' ? 'r' : *value;
		put(lines, mark, 2);
		value++;
	}
}

static void put_indent(struct lines *lines)
{
	static const char blanks[INDENT_MOST + 1] = "                                ";

	put(lines, blanks, lines->depth < INDENT_MOST ? lines->depth : INDENT_MOST);
}

static bool is_blank(const char *text, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (!strchr(" \t\r\n", text[i]) || !text[i])
			return false;
	return true;
}

/* The text up to a tag, a line for each of its lines. */
static void put_text(struct lines *lines, bool whole)
{
	const char *at = lines->text, *end;

	if (!lines->text_size)
		return;
	end = at + lines->text_size;
	if (!whole && !lines->all_blanks && is_blank(at, lines->text_size))
		at = end;
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop_at = newline ? newline : end;

		put_indent(lines);
		put(lines, "|", 1);
		put(lines, at, (size_t)(stop_at - at));
		put(lines, newline ? "\n" : "|\n", newline ? 1 : 2);
		at = newline ? newline + 1 : end;
	}
	lines->text_size = 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names and values in turn, up to NULL; expat's own list is sorted. */
static void put_attributes(struct lines *lines, const char **attributes)
{
	size_t count = 0;

	while (attributes[2 * count])
		count++;
	qsort(attributes, count, 2 * sizeof(*attributes), by_name);
	for (size_t i = 0; i < count; i++) {
		put_word(lines, " ");
		put_word(lines, attributes[2 * i]);
		put_word(lines, "=\"");
		put_value(lines, attributes[2 * i + 1]);
		put_word(lines, "\"");
		if (strcmp(attributes[2 * i], "xml:space") == 0)
			lines->all_blanks = true;
	}
}

static void on_start(void *context, const char *name, const char **attributes)
{
	struct lines *lines = context;

	put_text(lines, false);
	/* Between words of a page, blanks can be seen. */
	if (strcmp(name, "html") == 0)
		lines->all_blanks = true;
	put_indent(lines);
	put_word(lines, "<");
	put_word(lines, name);
	put_attributes(lines, attributes);
	put_word(lines, ">\n");
	lines->depth++;
	lines->leaf = true;
}

static void on_end(void *context, const char *name)
{
	struct lines *lines = context;

	put_text(lines, lines->leaf);
	lines->leaf = false;
	lines->depth--;
	put_indent(lines);
	put_word(lines, "</");
	put_word(lines, name);
	put_word(lines, ">\n");
}

static void on_text(void *context, const char *text, int size)
{
	struct lines *lines = context;
	size_t wanted = lines->text_size + (size_t)size;

	if (wanted > TEXT_MOST) {
		stop(lines, NOT_THIS);
		return;
	}
	if (wanted > lines->text_room) {
		size_t room = 2 * wanted;
		char *grown = realloc(lines->text, room);

		if (!grown) {
			error_set(lines->err, ENOMEM, "cannot hold the text of an element");
			stop(lines, COMPARE_FAILED);
			return;
		}
		lines->text = grown;
		lines->text_room = room;
	}
	memcpy(lines->text + lines->text_size, text, (size_t)size);
	lines->text_size = wanted;
}

static void put_other(struct lines *lines, const char *opens, const char *name, const char *value)
{
	put_text(lines, false);
	lines->leaf = false;
	put_indent(lines);
	put_word(lines, opens);
	put_value(lines, name);
	if (value) {
		put_word(lines, " ");
		put_value(lines, value);
	}
	put_word(lines, ">\n");
}

static void on_comment(void *context, const char *comment)
{
	put_other(context, "<!--", comment, NULL);
}

static void on_instruction(void *context, const char *target, const char *data)
{
	put_other(context, "<?", target, data);
}

static void on_doctype(
	void *context, const char *name, const char *system, const char *public, int has_subset)
{
	if (has_subset) {
		stop(context, NOT_THIS);
		return;
	}
	put_other(context, "<!DOCTYPE ", name, public);
	if (system)
		put_other(context, "<!DOCTYPE ", name, system);
}

/* Those that a document type defines elsewhere. */
static void on_entity(void *context, const char *name, int is_parameter)
{
	if (is_parameter)
		return;
	on_text(context, "&", 1);
	on_text(context, name, (int)strlen(name));
	on_text(context, ";", 1);
}

static void parse(struct lines *lines, const struct blob *blob)
{
	uint64_t at = 0;

	XML_SetUserData(lines->parser, lines);
	XML_SetElementHandler(lines->parser, on_start, on_end);
	XML_SetCharacterDataHandler(lines->parser, on_text);
	XML_SetCommentHandler(lines->parser, on_comment);
	XML_SetProcessingInstructionHandler(lines->parser, on_instruction);
	XML_SetStartDoctypeDeclHandler(lines->parser, on_doctype);
	XML_SetSkippedEntityHandler(lines->parser, on_entity);
	while (lines->done == COMPARED && at < blob->size) {
		uint64_t size = blob->size - at < PIECE ? blob->size - at : PIECE;

		if (XML_Parse(lines->parser, (const char *)blob->data + at, (int)size,
			    at + size == blob->size) != XML_STATUS_OK &&
			lines->done == COMPARED)
			lines->done = NOT_THIS;
		at += size;
	}
}

enum compared xml_lines_make(
	struct diff *diff, const struct blob *blob, struct blob *to, struct error *err)
{
	struct lines lines = { .parser = XML_ParserCreate(NULL), .err = err };

	if (!lines.parser) {
		error_set(err, ENOMEM, "cannot parse XML");
		return COMPARE_FAILED;
	}
	blob_write_start(&lines.writer, &diff->budget);
	lines.done = COMPARED;
	parse(&lines, blob);
	if (lines.done != COMPARED)
		blob_write_cancel(&lines.writer);
	else if (blob_write_finish(&lines.writer, to, NULL, err))
		lines.done = COMPARE_FAILED;
	XML_ParserFree(lines.parser);
	free(lines.text);
	return lines.done;
}
