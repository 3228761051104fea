#include "diff/pdf_dictionary.h"

#include <ctype.h>
#include <string.h>

#include "diff/cause.h"

#define SHOWN_MOST 200 /* bytes of a value */
#define FACTS_MOST 12  /* of one object; what is beyond stays in the text */

static const struct key {
	const char *name, *cause;
	char opens; /* 0: a string, else what the value begins with */
} keys[] = {
	{ "/CreationDate", CAUSE_TIME, 0 },
	{ "/ModDate", CAUSE_TIME, 0 },
	{ "/Producer", CAUSE_VERSION, 0 },
	{ "/ID", CAUSE_RANDOM, '[' },
};

static bool is_blank(unsigned char byte)
{
	return byte == '\0' || byte == '\f' || byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool ends_name(const struct blob *text, uint64_t at)
{
	return at >= text->size || is_blank(text->data[at]) || strchr("()<>[]{}/%", text->data[at]);
}

uint64_t pdf_skip_blanks(const struct blob *text, uint64_t at)
{
	while (at < text->size && is_blank(text->data[at]))
		at++;
	return at;
}

static bool is_key(const struct blob *text, uint64_t at, const char *name)
{
	return blob_has(text, at, name, strlen(name)) && ends_name(text, at + strlen(name));
}

/* Behind the string in parentheses, which may be nested, or at the end. */
static uint64_t skip_string(const struct blob *text, uint64_t at)
{
	uint64_t depth = 0;

	for (; at < text->size; at++) {
		unsigned char byte = text->data[at];

		if (byte == '\\')
			at++;
		else if (byte == '(')
			depth++;
		else if (byte == ')' && --depth == 0)
			return at + 1;
	}
	return text->size;
}

/* Behind the value at `at`, or 0 when it is not one that a fact is made of. */
static uint64_t skip_value(const struct blob *text, uint64_t at, char opens)
{
	const unsigned char *end;
	char closes = opens == '[' ? ']' : '>';

	if (at >= text->size || (opens && text->data[at] != (unsigned char)opens))
		return 0;
	if (text->data[at] == '(')
		return skip_string(text, at);
	if (!opens && (text->data[at] != '<' || blob_has(text, at, "<<", 2)))
		return 0;
	end = memchr(text->data + at, closes, text->size - at);
	return end ? (uint64_t)(end - text->data) + 1 : 0;
}

static int take_fact(struct member *member, const struct key *key, const struct blob *value)
{
	return member_fact(member, key->name + 1, LEVEL_CONTENT, key->cause, "%.*s",
		(int)(value->size < SHOWN_MOST ? value->size : SHOWN_MOST),
		(const char *)value->data);
}

/* Behind the key and its value at `at`, which are bookkeeping; `at` if they are not; 0: no memory. */
static uint64_t take_key(struct member *member, const struct blob *text, uint64_t at)
{
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		uint64_t start, end;
		struct blob value;

		if (!is_key(text, at, keys[i].name) || member->fact_count == FACTS_MOST)
			continue;
		start = pdf_skip_blanks(text, at + strlen(keys[i].name));
		end = skip_value(text, start, keys[i].opens);
		if (!end)
			continue;
		value = blob_part(text, start, end - start, NULL);
		return take_fact(member, &keys[i], &value) ? 0 : end;
	}
	return at;
}

/* A number, or one of another object: "12 0 R". */
static uint64_t skip_number(const struct blob *text, uint64_t at)
{
	uint64_t end, next;

	while (at < text->size && isdigit(text->data[at]))
		at++;
	next = end = at;
	for (int i = 0; i < 2; i++) {
		next = pdf_skip_blanks(text, next);
		if (i == 1 && blob_has(text, next, "R", 1))
			return next + 1;
		while (next < text->size && isdigit(text->data[next]))
			next++;
	}
	return end;
}

int pdf_dictionary_write(struct blob_writer *writer, struct member *member, const struct blob *text,
	bool of_stream, struct error *err)
{
	uint64_t written = 0, at = 0;

	while (at < text->size) {
		uint64_t next = at + 1;

		if (text->data[at] == '(') {
			at = skip_string(text, at);
			continue;
		}
		if (text->data[at] == '/') {
			next = take_key(member, text, at);
			if (!next)
				return -1;
			if (next == at && of_stream && is_key(text, at, "/Length"))
				next = skip_number(text, pdf_skip_blanks(text, at + 7));
			if (next != at) {
				if (blob_write(writer, text->data + written, at - written, err))
					return -1;
				written = next;
			} else {
				next = at + 1;
			}
		}
		at = next;
	}
	return blob_write(writer, text->data + written, text->size - written, err);
}

/* Where the value of a key begins, or UINT64_MAX. */
static uint64_t find_value(const struct blob *text, const char *key)
{
	for (uint64_t at = 0; at < text->size; at++) {
		if (text->data[at] == '(')
			at = skip_string(text, at) - 1;
		else if (text->data[at] == '/' && is_key(text, at, key))
			return pdf_skip_blanks(text, at + strlen(key));
	}
	return UINT64_MAX;
}

uint64_t pdf_dictionary_number(const struct blob *text, const char *key)
{
	uint64_t at = find_value(text, key), value = 0;

	if (at >= text->size || !isdigit(text->data[at]))
		return UINT64_MAX;
	for (; at < text->size && isdigit(text->data[at]) && value < (1ull << 50); at++)
		value = 10 * value + (text->data[at] - '0');
	at = pdf_skip_blanks(text, at);
	return at < text->size && isdigit(text->data[at]) ? UINT64_MAX : value;
}

bool pdf_dictionary_has(const struct blob *text, const char *key, const char *value)
{
	uint64_t at = find_value(text, key);

	return at < text->size && blob_has(text, at, value, strlen(value)) &&
	       ends_name(text, at + strlen(value));
}
