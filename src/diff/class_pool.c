#include "diff/class_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef unsigned long long number;

#define SHOWN_MOST 160 /* bytes of a string */
#define DEPTH_MOST 5   /* a handle of a method of a class with a name */

enum tag {
	TAG_UTF8 = 1,
	TAG_LONG = 5,
	TAG_DOUBLE = 6,
	TAG_HANDLE = 15,
	TAG_DYNAMIC = 17,
	TAG_INVOKE_DYNAMIC = 18,
	TAGS = 21,
};

/* What follows a tag: "n" for each byte of a number, "c" for each other constant. */
static const struct {
	const char *name, *parts;
} tags[TAGS] = {
	[3] = { "Integer", "nnnn" },
	[4] = { "Float", "nnnn" },
	[TAG_LONG] = { "Long", "nnnnnnnn" },
	[TAG_DOUBLE] = { "Double", "nnnnnnnn" },
	[7] = { "Class", "c" },
	[8] = { "String", "c" },
	[9] = { "Field", "cc" },
	[10] = { "Method", "cc" },
	[11] = { "InterfaceMethod", "cc" },
	[12] = { "NameAndType", "cc" },
	[TAG_HANDLE] = { "MethodHandle", "nc" },
	[16] = { "MethodType", "c" },
	[TAG_DYNAMIC] = { "Dynamic", "nnc" },
	[TAG_INVOKE_DYNAMIC] = { "InvokeDynamic", "nnc" },
	[19] = { "Module", "c" },
	[20] = { "Package", "c" },
};

uint64_t class_take(struct class_cursor *cursor, unsigned bytes)
{
	uint64_t at = cursor->at;

	if (cursor->bad || cursor->end - at < bytes) {
		cursor->bad = true;
		return 0;
	}
	cursor->at += bytes;
	return blob_be(cursor->blob, at, bytes);
}

struct class_cursor class_take_part(struct class_cursor *cursor, uint64_t bytes)
{
	struct class_cursor part = *cursor;

	if (cursor->bad || cursor->end - cursor->at < bytes) {
		cursor->bad = part.bad = true;
		return part;
	}
	part.end = cursor->at += bytes;
	return part;
}

static uint64_t size_of(unsigned tag)
{
	uint64_t size = 0;

	for (const char *part = tags[tag].parts; *part; part++)
		size += *part == 'c' ? 2 : 1;
	return size;
}

static void read_constant(struct class_cursor *cursor, unsigned *tag)
{
	*tag = (unsigned)class_take(cursor, 1);
	if (*tag == TAG_UTF8)
		class_take_part(cursor, class_take(cursor, 2));
	else if (*tag < TAGS && tags[*tag].parts)
		class_take_part(cursor, size_of(*tag));
	else
		cursor->bad = true;
}

int class_pool_read(struct class_pool *pool, struct class_cursor *cursor)
{
	pool->blob = cursor->blob;
	pool->count = (unsigned)class_take(cursor, 2);
	pool->places = calloc(pool->count + 1, sizeof(*pool->places));
	if (!pool->places)
		return -1;
	for (unsigned i = 1; i < pool->count && !cursor->bad; i++) {
		unsigned tag;

		pool->places[i] = (uint32_t)cursor->at;
		read_constant(cursor, &tag);
		/* These two take two numbers each. */
		if (tag == TAG_LONG || tag == TAG_DOUBLE)
			i++;
	}
	return 0;
}

void class_pool_release(struct class_pool *pool)
{
	free(pool->places);
	*pool = (struct class_pool){ 0 };
}

static uint64_t place_of(const struct class_pool *pool, uint64_t index)
{
	return index < pool->count ? pool->places[index] : 0;
}

/* Line ends would break the lines of the texts that this gets into. */
static void put_string(FILE *out, const struct blob *string)
{
	uint64_t shown = string->size > SHOWN_MOST ? SHOWN_MOST : string->size;

	for (uint64_t i = 0; i < shown; i++) {
		unsigned char byte = string->data[i];

		if (byte < ' ' || byte == '\\')
			fprintf(out, "\\%03o", byte);
		else
			fputc(byte, out);
	}
	if (shown < string->size)
		fprintf(out, "... (%llu bytes, hash %016llx)", (number)string->size,
			(number)XXH3_64bits(string->data, string->size));
}

static void put_constant(
	const struct class_pool *pool, FILE *out, uint64_t index, unsigned depth, bool named)
{
	uint64_t at = place_of(pool, index);
	unsigned tag = at ? pool->blob->data[at] : 0;

	if (tag == TAG_UTF8) {
		uint64_t size = blob_be(pool->blob, at + 1, 2);
		struct blob string = blob_part(pool->blob, at + 3, size, NULL);

		put_string(out, &string);
		return;
	}
	if (!tag || depth > DEPTH_MOST) {
		fprintf(out, "#%llu", (number)index);
		return;
	}
	if (named)
		fprintf(out, "%s ", tags[tag].name);
	at++;
	for (const char *part = tags[tag].parts; *part; part++) {
		if (part != tags[tag].parts && (*part == 'c' || part[-1] == 'c'))
			fputc(':', out);
		if (*part == 'c') {
			put_constant(pool, out, blob_be(pool->blob, at, 2), depth + 1, false);
			at += 2;
		} else {
			fprintf(out, "%02x", pool->blob->data[at++]);
		}
	}
}

void class_pool_put(const struct class_pool *pool, FILE *out, uint64_t index)
{
	put_constant(pool, out, index, 0, true);
}

char *class_pool_text(const struct class_pool *pool, uint64_t index)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	put_constant(pool, out, index, 0, false);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

bool class_pool_is(const struct class_pool *pool, uint64_t index, const char *text)
{
	uint64_t at = place_of(pool, index);

	return at && pool->blob->data[at] == TAG_UTF8 &&
	       blob_be(pool->blob, at + 1, 2) == strlen(text) &&
	       blob_has(pool->blob, at + 3, text, strlen(text));
}
