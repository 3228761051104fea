#include "diff/mo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/listed.h"
#include "diff/mo_system.h"

typedef unsigned long long number;

#define MAGIC	    0x950412deu
#define HEADER	    28
#define FIELDS_MOST 4

struct mo {
	struct diff *diff;
	const struct blob *blob;
	struct members *members;
	struct listed_texts texts; /* of strings that depend on the system */
	bool big;		   /* endian */
	uint64_t count, ids, texts_at;
	uint64_t left; /* of the bytes that strings can have together, as no two share any */
};

bool mo_is(const struct blob *blob)
{
	return blob->size >= HEADER &&
	       (blob_le(blob, 0, 4) == MAGIC || blob_be(blob, 0, 4) == MAGIC);
}

static uint64_t word(const struct mo *mo, uint64_t at)
{
	return mo->big ? blob_be(mo->blob, at, 4) : blob_le(mo->blob, at, 4);
}

/* The string of a table; false if it is not in the file, or not ended by a zero. */
static bool take_string(struct mo *mo, uint64_t table, uint64_t index, struct blob *string)
{
	uint64_t size = word(mo, table + 8 * index), at = word(mo, table + 8 * index + 4);

	if (at >= mo->blob->size || size >= mo->blob->size - at || size > mo->left ||
		mo->blob->data[at + size] != '\0')
		return false;
	mo->left -= size;
	*string = blob_part(mo->blob, at, size, NULL);
	return true;
}

/* Lines of the header that tell when and with what the catalogue was made. */
static const struct field {
	const char *name, *cause;
} fields[FIELDS_MOST] = {
	{ "POT-Creation-Date", CAUSE_TIME },
	{ "PO-Revision-Date", CAUSE_TIME },
	{ "X-Generator", CAUSE_VERSION },
	{ "X-Launchpad-Export-Date", CAUSE_TIME },
};

static const struct field *field_of(const struct blob *line)
{
	for (size_t i = 0; i < FIELDS_MOST; i++)
		if (blob_has(line, 0, fields[i].name, strlen(fields[i].name)) &&
			blob_has(line, strlen(fields[i].name), ":", 1))
			return &fields[i];
	return NULL;
}

#define LINE_MOST 4096 /* bytes of a field that are told */

static int take_line(struct member *header, const struct blob *line, struct blob_writer *others,
	struct error *err)
{
	const struct field *field = field_of(line);
	const char *value;
	uint64_t bytes;

	if (!field || header->fact_count >= FIELDS_MOST)
		return blob_write(others, line->data, line->size, err);
	value = (const char *)line->data + strlen(field->name) + 1;
	bytes = line->size - strlen(field->name) - 1;
	if (bytes && value[bytes - 1] == '\n')
		bytes--;
	return member_fact(header, field->name, LEVEL_CONTENT, field->cause, "%.*s",
		(int)(bytes < LINE_MOST ? bytes : LINE_MOST), value);
}

/* The translation of "": fields, one a line. */
static int add_header(struct mo *mo, const struct blob *text, struct error *err)
{
	struct member *header = members_add(mo->members, mo->diff, "header", err);
	struct blob_writer others;
	uint64_t at = 0;

	if (!header)
		return -1;
	blob_write_start(&others, &mo->diff->budget);
	while (at < text->size) {
		const unsigned char *end = memchr(text->data + at, '\n', text->size - at);
		uint64_t next = end ? (uint64_t)(end - text->data) + 1 : text->size;
		struct blob line = blob_part(text, at, next - at, NULL);

		if (take_line(header, &line, &others, err)) {
			blob_write_cancel(&others);
			return -1;
		}
		at = next;
	}
	if (blob_write_finish(&others, &header->blob, NULL, err))
		return -1;
	header->has_bytes = header->unpacked = true;
	return 0;
}

/* In quotes: no message is named like a part of the file. Its plural follows behind a zero. */
static int add_message(
	struct mo *mo, const struct blob *id, const struct blob *text, struct error *err)
{
	const char *singular = (const char *)id->data, *plural = singular + strlen(singular) + 1;
	bool has_plural = strlen(singular) < id->size;
	cleanup_free char *name = NULL;
	struct member *message;

	if (asprintf(&name, "\"%s\"", singular) < 0)
		return -1;
	message = listed_add(mo->members, mo->diff, name, text, err);
	if (!message)
		return -1;
	return has_plural ? member_fact(message, "plural", LEVEL_STRUCTURE, NULL, "%s", plural) : 0;
}

static enum compared add_messages(struct mo *mo, struct error *err)
{
	for (uint64_t i = 0; i < mo->count; i++) {
		struct blob id, text;

		/* They are sorted: that of the header is the first. */
		if (!take_string(mo, mo->ids, i, &id) || !take_string(mo, mo->texts_at, i, &text) ||
			(i && !id.size))
			return NOT_THIS;
		if (id.size ? add_message(mo, &id, &text, err) : add_header(mo, &text, err))
			return COMPARE_FAILED;
	}
	return COMPARED;
}

static bool has_table(const struct mo *mo, uint64_t at)
{
	return at <= mo->blob->size && mo->count <= (mo->blob->size - at) / 8;
}

/* Revision 1 has these too, in quotes of their own. */
static enum compared add_system_messages(struct mo *mo, struct error *err)
{
	struct mo_system system;

	if (!mo_system_read(&system, mo->blob, mo->big))
		return NOT_THIS;
	for (uint64_t i = 0; i < system.count; i++) {
		size_t id_size = 0, size = 0;
		cleanup_free char *id =
			mo_system_string(&system, system.ids, i, &mo->left, &id_size);
		cleanup_free char *text =
			mo_system_string(&system, system.texts, i, &mo->left, &size);
		cleanup_free char *name = NULL;

		if (!id || !text)
			return NOT_THIS;
		if (asprintf(&name, "'%s'", id) < 0 || !listed_texts_add(&mo->texts, name, err) ||
			blob_write(&mo->texts.writer, text, size, err))
			return COMPARE_FAILED;
	}
	return COMPARED;
}

static enum compared add_all(struct mo *mo, struct error *err)
{
	uint64_t revision = word(mo, 4);
	struct member *file;
	enum compared done;

	if (revision > 1 || !has_table(mo, mo->ids) || !has_table(mo, mo->texts_at))
		return NOT_THIS;
	file = listed_add(mo->members, mo->diff, "file", NULL, err);
	if (!file ||
		member_fact(file, "order of bytes", LEVEL_CONTENT, NULL, "%s-endian",
			mo->big ? "big" : "little") ||
		member_fact(file, "hash table", LEVEL_CONTENT, NULL, "%llu entries",
			(number)word(mo, 20)))
		return COMPARE_FAILED;
	done = add_messages(mo, err);
	return done == COMPARED && revision ? add_system_messages(mo, err) : done;
}

static enum compared list_messages(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct mo mo = { .diff = diff, .blob = blob, .members = members, .left = blob->size };

	mo.big = blob_be(blob, 0, 4) == MAGIC;
	mo.count = word(&mo, 8);
	mo.ids = word(&mo, 12);
	mo.texts_at = word(&mo, 16);
	listed_texts_start(&mo.texts, diff, members);
	return listed_texts_end(&mo.texts, add_all(&mo, err), err);
}

enum compared mo_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = {
		"the same messages: differs only in where they are, or in the hash table", NULL
	};

	return listed_compare(diff, node, pair, list_messages, &remainder, err);
}
