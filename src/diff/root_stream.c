#include "diff/root_stream.h"

#include <string.h>

#define COUNTED	      0x40000000u /* a word with a count of bytes */
#define CLASS	      0x80000000u /* a word with the place of a class's name */
#define NEW_CLASS     0xffffffffu /* the class's name follows */
#define PLACE_OFFSET  2		  /* that words with places have: so that none is zero */
#define IS_REFERENCED 0x10	  /* a bit of TObject: two more bytes follow */

static uint64_t left(const struct root_cursor *cursor)
{
	return cursor->bad ? 0 : cursor->payload->size - cursor->at;
}

void root_take_bytes(struct root_cursor *cursor, uint64_t bytes)
{
	if (bytes > left(cursor))
		cursor->bad = true;
	else
		cursor->at += bytes;
}

uint64_t root_take_number(struct root_cursor *cursor, unsigned bytes)
{
	uint64_t at = cursor->at;

	root_take_bytes(cursor, bytes);
	return cursor->bad ? 0 : blob_be(cursor->payload, at, bytes);
}

struct root_text root_take_text(struct root_cursor *cursor)
{
	struct root_text text = { "", 0 };

	if (cursor->bad ||
		!root_text_read(cursor->payload, &cursor->at, cursor->payload->size, &text))
		cursor->bad = true;
	return text;
}

void root_take_object(struct root_cursor *cursor)
{
	uint64_t bits;

	root_take_bytes(cursor, 2 + 4); /* version, number */
	bits = root_take_number(cursor, 4);
	if (bits & IS_REFERENCED)
		root_take_bytes(cursor, 2);
}

struct root_front root_take_front(struct root_cursor *cursor)
{
	uint64_t count = root_take_number(cursor, 4);
	struct root_front front = { 0 };

	if (!(count & COUNTED) || (count & CLASS) || (count & ~COUNTED) > left(cursor)) {
		cursor->bad = true;
		return front;
	}
	front.end = cursor->at + (count & ~COUNTED);
	front.version = (uint16_t)root_take_number(cursor, 2);
	return front;
}

void root_take_end(struct root_cursor *cursor, const struct root_front *front)
{
	if (cursor->bad || cursor->at > front->end)
		cursor->bad = true;
	else
		cursor->at = front->end;
}

/* The name of a class, up to a zero. */
static struct root_text take_class(struct root_cursor *cursor)
{
	struct root_text name = { "", 0 };
	const char *text = (const char *)cursor->payload->data + cursor->at;
	const char *zero = memchr(text, 0, left(cursor));

	if (!zero || zero == text || zero - text > INT16_MAX) {
		cursor->bad = true;
		return name;
	}
	name = (struct root_text){ text, (uint32_t)(zero - text) };
	cursor->at += name.size + 1u;
	return name;
}

/* The name stands where an object of this class was the first. */
static struct root_text class_at(struct root_cursor *cursor, uint64_t place)
{
	struct root_cursor there = *cursor;
	struct root_text name = { "", 0 };
	uint64_t before = (uint64_t)cursor->key_bytes + PLACE_OFFSET;

	if (place < before || place - before >= cursor->at)
		cursor->bad = true;
	there.at = place - before;
	if (!cursor->bad && root_take_number(&there, 4) == NEW_CLASS)
		name = take_class(&there);
	if (!name.size)
		cursor->bad = true;
	return name;
}

struct root_text root_take_pointer(struct root_cursor *cursor, uint64_t *end)
{
	struct root_text name = { "", 0 };
	uint64_t word = root_take_number(cursor, 4), tag;

	*end = cursor->at;
	if (!(word & COUNTED) || word == NEW_CLASS) {
		/* Without a count only nothing, or an object elsewhere, can be read. */
		if (word & CLASS)
			cursor->bad = true;
		return name;
	}
	if ((word & ~COUNTED) > left(cursor)) {
		cursor->bad = true;
		return name;
	}
	*end = cursor->at + (word & ~COUNTED);
	tag = root_take_number(cursor, 4);
	if (tag == NEW_CLASS)
		name = take_class(cursor);
	else if (tag & CLASS)
		name = class_at(cursor, tag & ~CLASS);
	else
		cursor->bad = true;
	if (cursor->at > *end)
		cursor->bad = true;
	return name;
}

uint64_t root_take_array(struct root_cursor *cursor, bool is_list, struct root_front *front)
{
	uint64_t count;

	*front = root_take_front(cursor);
	root_take_object(cursor);
	root_take_text(cursor);
	count = root_take_number(cursor, 4);
	if (!is_list)
		root_take_bytes(cursor, 4); /* the lowest index */
	return cursor->bad ? 0 : count;
}
