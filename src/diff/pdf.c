#include "diff/pdf.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "diff/cause.h"
#include "diff/inflated.h"
#include "diff/listed.h"
#include "diff/pdf_dictionary.h"

#define NOWHERE	   UINT64_MAX
#define NAME_BYTES 64

bool pdf_is(const struct blob *blob)
{
	return blob_has(blob, 0, "%PDF-", 5);
}

struct pdf {
	const struct blob *blob;
	struct listed_texts texts;
};

/* An object, and where the parts of it are. */
struct object {
	uint64_t start;		     /* of its number */
	uint64_t text, text_end;     /* behind "obj", up to "stream" or "endobj" */
	uint64_t stream, stream_end; /* 0: it has none */
	uint64_t end;		     /* behind "endobj" */
	char name[NAME_BYTES];
};

static uint64_t find(const struct blob *blob, uint64_t from, uint64_t end, const char *word)
{
	const unsigned char *found;

	if (from > end)
		return NOWHERE;
	found = memmem(blob->data + from, end - from, word, strlen(word));
	return found ? (uint64_t)(found - blob->data) : NOWHERE;
}

/* Back over a number and one blank before it; `least` is as far as it goes. */
static uint64_t back_number(const struct blob *blob, uint64_t at, uint64_t least)
{
	uint64_t end;

	if (at <= least || blob->data[at - 1] != ' ')
		return NOWHERE;
	end = --at;
	while (at > least && end - at < 10 && isdigit(blob->data[at - 1]))
		at--;
	return at < end ? at : NOWHERE;
}

/* The next "N G obj". */
static bool find_start(const struct blob *blob, uint64_t from, struct object *object)
{
	for (uint64_t at = from; (at = find(blob, at, blob->size, "obj")) != NOWHERE; at += 3) {
		uint64_t start = back_number(blob, at, from);

		if (start != NOWHERE)
			start = back_number(blob, start, from);
		if (start == NOWHERE)
			continue;
		object->start = start;
		object->text = at + 3;
		snprintf(object->name, NAME_BYTES, "object %.*s", (int)(at - 1 - start),
			(const char *)blob->data + start);
		return true;
	}
	return false;
}

/* By its length if that is right, else by its end. */
static bool find_stream_end(const struct blob *blob, struct object *object, const struct blob *text)
{
	uint64_t size = pdf_dictionary_number(text, "/Length"), end = NOWHERE;

	if (size < blob->size - object->stream) {
		end = pdf_skip_blanks(blob, object->stream + size);
		if (blob_has(blob, end, "endstream", 9)) {
			object->stream_end = object->stream + size;
			return true;
		}
	}
	end = find(blob, object->stream, blob->size, "endstream");
	if (end == NOWHERE)
		return false;
	if (end > object->stream && blob->data[end - 1] == '\n')
		end--;
	if (end > object->stream && blob->data[end - 1] == '\r')
		end--;
	object->stream_end = end;
	return true;
}

/* Behind the line with "stream", if this is one. */
static uint64_t stream_start(const struct blob *blob, uint64_t at)
{
	at += 6;
	if (blob_has(blob, at, "\r\n", 2))
		return at + 2;
	return blob_has(blob, at, "\n", 1) ? at + 1 : 0;
}

static bool read_object(const struct blob *blob, struct object *object)
{
	uint64_t end = find(blob, object->text, blob->size, "endobj");
	uint64_t stream = end == NOWHERE ? NOWHERE : find(blob, object->text, end, "stream");

	object->stream = stream == NOWHERE ? 0 : stream_start(blob, stream);
	object->text_end = object->stream ? stream : end;
	if (object->stream) {
		struct blob text =
			blob_part(blob, object->text, object->text_end - object->text, NULL);

		if (!find_stream_end(blob, object, &text))
			return false;
		end = find(blob, object->stream_end, blob->size, "endobj");
	}
	if (end == NOWHERE)
		return false;
	object->end = end + 6;
	return true;
}

/* Unpacked, if it can be; what cannot is compared as it is. */
static enum compared write_stream(
	struct pdf *pdf, const struct blob *text, const struct blob *packed, struct error *err)
{
	bool flate = pdf_dictionary_has(text, "/Filter", "/FlateDecode");
	enum compared done = NOT_THIS;
	uint64_t used = 0;

	if (flate)
		done = inflated_each(packed, inflated_write, &pdf->texts.writer, &used, err);
	if (done == COMPARE_FAILED)
		return COMPARE_FAILED;
	if (done == NOT_THIS)
		used = 0;
	/* Some writers put a line end behind, and count it. */
	if (packed->size - used <= 2 && used)
		return COMPARED;
	return blob_write(&pdf->texts.writer, packed->data + used, packed->size - used, err)
		       ? COMPARE_FAILED
		       : COMPARED;
}

static enum compared add_object(struct pdf *pdf, const struct object *object, struct error *err)
{
	struct blob text =
		blob_part(pdf->blob, object->text, object->text_end - object->text, NULL);
	struct blob stream =
		blob_part(pdf->blob, object->stream, object->stream_end - object->stream, NULL);
	struct member *member = listed_texts_add(&pdf->texts, object->name, err);
	char name[NAME_BYTES + 8];

	if (!member ||
		pdf_dictionary_write(&pdf->texts.writer, member, &text, object->stream != 0, err))
		return COMPARE_FAILED;
	/* A stream of references is a table of where objects are. */
	if (!object->stream || pdf_dictionary_has(&text, "/Type", "/XRef"))
		return COMPARED;
	snprintf(name, sizeof(name), "%s stream", object->name);
	member = listed_texts_add(&pdf->texts, name, err);
	if (!member || member_fact(member, "packed", LEVEL_CONTENT, CAUSE_COMPRESSION, "%llu bytes",
			       (unsigned long long)stream.size))
		return COMPARE_FAILED;
	return write_stream(pdf, &text, &stream, err);
}

/* Trailers and tables of references, which are between objects. */
static int add_gap(struct pdf *pdf, uint64_t start, uint64_t end, struct error *err)
{
	static const char *const ends[] = { "startxref", "xref" };
	uint64_t trailer = find(pdf->blob, start, end, "trailer");
	struct member *member;
	struct blob text;

	if (trailer != NOWHERE)
		start = trailer;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		uint64_t stop = find(pdf->blob, start, end, ends[i]);

		if (stop != NOWHERE)
			end = stop;
	}
	text = blob_part(pdf->blob, start, end - start, NULL);
	if (pdf_skip_blanks(&text, 0) == text.size)
		return 0;
	member = listed_texts_add(
		&pdf->texts, trailer == NOWHERE ? "between objects" : "trailer", err);
	return member ? pdf_dictionary_write(&pdf->texts.writer, member, &text, false, err) : -1;
}

/* The first line. */
static uint64_t header_size(const struct blob *blob)
{
	uint64_t size = 0;

	while (size < blob->size && blob->data[size] != '\r' && blob->data[size] != '\n')
		size++;
	return size;
}

static enum compared add_objects(struct pdf *pdf, struct error *err)
{
	uint64_t at = header_size(pdf->blob);
	struct object object;
	enum compared done = COMPARED;
	size_t objects = 0;

	while (done == COMPARED && find_start(pdf->blob, at, &object)) {
		if (!read_object(pdf->blob, &object))
			return NOT_THIS;
		if (add_gap(pdf, at, object.start, err))
			return COMPARE_FAILED;
		done = add_object(pdf, &object, err);
		at = object.end;
		objects++;
	}
	if (done == COMPARED && !objects)
		return NOT_THIS;
	return done == COMPARED && add_gap(pdf, at, pdf->blob->size, err) ? COMPARE_FAILED : done;
}

static enum compared add_all(struct pdf *pdf, struct members *members, struct error *err)
{
	struct member *file = members_add(members, pdf->texts.diff, "file", err);
	uint64_t shown = header_size(pdf->blob);

	if (shown > NAME_BYTES)
		return NOT_THIS;
	if (!file || member_fact(file, "version", LEVEL_STRUCTURE, CAUSE_VERSION, "%.*s",
			     (int)shown, (const char *)pdf->blob->data))
		return COMPARE_FAILED;
	return add_objects(pdf, err);
}

static enum compared list_objects(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct pdf pdf = { .blob = blob };

	listed_texts_start(&pdf.texts, diff, members);
	return listed_texts_end(&pdf.texts, add_all(&pdf, members, err), err);
}

enum compared pdf_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = {
		"the same objects: differs only in where they are and how streams are packed", NULL
	};

	return listed_compare(diff, node, pair, list_objects, &remainder, err);
}
