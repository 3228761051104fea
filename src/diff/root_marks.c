#include "diff/root_marks.h"

#include <stdlib.h>

#define DEEP_MOST     100 /* branches in branches, bases of bases */
#define STEPS_LEAST   1000
#define COUNTERS_MOST 16 /* of one class */
#define BASKET_TIME   10 /* where the time is in the key of a basket that stands in the tree */

/* Types of members, as ROOT numbers them. */
enum {
	TYPE_BASE = 0,
	TYPE_COUNTER = 6,
	TYPE_ARRAY = 20,   /* and a number: of a fixed length */
	TYPE_POINTER = 40, /* and a number: of a length that another member has */
	TYPE_NUMBERS = 60, /* those above are others */
	TYPE_OBJECT = 61,
	TYPE_ANY = 62,
	TYPE_OBJECT_HERE = 63, /* pointers to what always stands here */
	TYPE_OBJECT_POINTER = 64,
	TYPE_STRING = 65,
	TYPE_TOBJECT = 66,
	TYPE_TNAMED = 67,
	TYPE_ANY_HERE = 68,
	TYPE_ANY_POINTER = 69,
};

/* Bytes of numbers; 0: not always the same, which trees do not have. */
static const unsigned char number_bytes[TYPE_ARRAY] = {
	[1] = 1,
	[2] = 2,
	[3] = 4,
	[4] = 8,
	[5] = 4,
	[TYPE_COUNTER] = 4,
	[8] = 8,
	[10] = 1,
	[11] = 1,
	[12] = 2,
	[13] = 4,
	[14] = 8,
	[15] = 4,
	[16] = 8,
	[17] = 8,
	[18] = 1,
};

/* The members that are marked. */
static const struct {
	const char *class, *member;
	bool are_seeks;
} marked[] = {
	{ "TTree", "fZipBytes", false },
	{ "TTree", "fSavedBytes", false },
	{ "TTree", "fFlushedBytes", false },
	{ "TBranch", "fCompress", false },
	{ "TBranch", "fZipBytes", false },
	{ "TBranch", "fBasketBytes", false },
	{ "TBranch", "fBasketSeek", true },
};

/* Below these versions classes do not stand in payloads as they are described. */
static const struct {
	const char *class;
	unsigned version;
} described_from[] = { { "TTree", 5 }, { "TBranch", 10 } };

struct walk {
	struct root_cursor cursor;
	const struct root_streamers *streamers;
	struct root_marks *marks;
	uint64_t steps; /* that it may still take: time in proportion to the payload */
	unsigned deep;
	bool no_memory;
};

struct counter {
	struct root_text name;
	uint64_t value;
};

/* The object whose members are read. */
struct object {
	const struct root_class *class;
	struct counter counters[COUNTERS_MOST];
	unsigned counter_count;
};

static void walk_object(struct walk *walk, const struct root_text *class);

static void add_mark(struct walk *walk, uint64_t at, uint64_t bytes, unsigned seek_bytes)
{
	struct root_marks *marks = walk->marks;

	if (walk->cursor.bad || !bytes)
		return;
	if (marks->count == marks->room) {
		size_t room = marks->room ? 2 * marks->room : 64;
		struct root_mark *all = reallocarray(marks->list, room, sizeof(*all));

		if (!all) {
			walk->no_memory = walk->cursor.bad = true;
			return;
		}
		marks->list = all;
		marks->room = room;
	}
	marks->list[marks->count++] = (struct root_mark){ at, bytes, seek_bytes };
}

static void mark_numbers(struct walk *walk, const struct root_class *class,
	const struct root_member *member, uint64_t at, unsigned bytes)
{
	for (size_t i = 0; i < sizeof(marked) / sizeof(marked[0]); i++)
		if (root_text_is(&class->name, marked[i].class) &&
			root_text_is(&member->name, marked[i].member))
			add_mark(walk, at, walk->cursor.at - at, marked[i].are_seeks ? bytes : 0);
}

static void count_by(struct object *object, const struct root_member *member, uint64_t value)
{
	if (object->counter_count < COUNTERS_MOST)
		object->counters[object->counter_count++] = (struct counter){ member->name, value };
}

/* How many numbers a pointer points to; bad if nobody tells. */
static uint64_t counted(struct walk *walk, const struct object *object, const struct root_text *by)
{
	for (unsigned i = 0; i < object->counter_count; i++)
		if (root_text_order(&object->counters[i].name, by) == 0)
			return object->counters[i].value;
	walk->cursor.bad = true;
	return 0;
}

static void walk_numbers(struct walk *walk, struct object *object, const struct root_member *member)
{
	struct root_cursor *cursor = &walk->cursor;
	unsigned kind = member->type / TYPE_ARRAY * TYPE_ARRAY;
	unsigned bytes = number_bytes[member->type % TYPE_ARRAY];
	uint64_t at = cursor->at, count = 1;

	if (!bytes)
		cursor->bad = true;
	if (kind == TYPE_ARRAY)
		count = member->length;
	if (kind == TYPE_POINTER) {
		count = root_take_number(cursor, 1) ? counted(walk, object, &member->count_by) : 0;
		at++;
	}
	if (member->type == TYPE_COUNTER) {
		count_by(object, member, root_take_number(cursor, 4));
		return;
	}
	/* Neither factor has more than 32 bits. */
	root_take_bytes(cursor, count * bytes);
	mark_numbers(walk, object->class, member, at, bytes);
}

static void skip_object(struct walk *walk)
{
	struct root_front front = root_take_front(&walk->cursor);

	root_take_end(&walk->cursor, &front);
}

static void walk_branches(struct walk *walk)
{
	struct root_front front;
	uint64_t count = root_take_array(&walk->cursor, false, &front);

	for (uint64_t i = 0; i < count && !walk->cursor.bad; i++) {
		uint64_t end;
		struct root_text class = root_take_pointer(&walk->cursor, &end);

		if (class.size)
			walk_object(walk, &class);
		if (walk->cursor.at != end)
			walk->cursor.bad = true;
	}
	root_take_end(&walk->cursor, &front);
}

/* Baskets that were not written as records of their own. */
static void walk_baskets(struct walk *walk)
{
	struct root_front front;
	uint64_t count = root_take_array(&walk->cursor, false, &front);

	for (uint64_t i = 0; i < count && !walk->cursor.bad; i++) {
		uint64_t end;
		struct root_text class = root_take_pointer(&walk->cursor, &end);
		uint64_t at = walk->cursor.at;

		if (root_text_is(&class, "TBasket") && end - at > BASKET_TIME + 4)
			add_mark(walk, at + BASKET_TIME, 4, 0);
		if (!walk->cursor.bad)
			walk->cursor.at = end;
	}
	root_take_end(&walk->cursor, &front);
}

/* TArrayI and the like: a count and so many numbers; 0: not one of them. */
static unsigned array_bytes(const struct root_text *class)
{
	static const struct {
		const char *class;
		unsigned bytes;
	} arrays[] = { { "TArrayC", 1 }, { "TArrayS", 2 }, { "TArrayI", 4 }, { "TArrayL", 8 },
		{ "TArrayL64", 8 }, { "TArrayF", 4 }, { "TArrayD", 8 } };

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		if (root_text_is(class, arrays[i].class))
			return arrays[i].bytes;
	return 0;
}

static void walk_part(struct walk *walk, const struct root_member *member)
{
	bool is_array = root_text_is(&member->class, "TObjArray");
	unsigned bytes = array_bytes(&member->class);

	if (is_array && root_text_is(&member->name, "fBranches"))
		walk_branches(walk);
	else if (is_array && root_text_is(&member->name, "fBaskets"))
		walk_baskets(walk);
	else if (bytes)
		root_take_bytes(&walk->cursor, root_take_number(&walk->cursor, 4) * bytes);
	else
		skip_object(walk);
}

static void walk_other(struct walk *walk, const struct root_member *member)
{
	uint64_t end;

	switch (member->type) {
	case TYPE_OBJECT:
	case TYPE_ANY:
	case TYPE_OBJECT_HERE:
	case TYPE_ANY_HERE:
		walk_part(walk, member);
		break;
	case TYPE_OBJECT_POINTER:
	case TYPE_ANY_POINTER:
		root_take_pointer(&walk->cursor, &end);
		if (!walk->cursor.bad)
			walk->cursor.at = end;
		break;
	case TYPE_STRING:
		root_take_text(&walk->cursor);
		break;
	case TYPE_TOBJECT:
		root_take_object(&walk->cursor);
		break;
	default: /* TNamed, and what has a streamer of its own: with a count of its bytes */
		skip_object(walk);
	}
}

static void walk_base(struct walk *walk, const struct root_text *class)
{
	if (root_text_is(class, "TTree") || root_text_is(class, "TBranch"))
		walk_object(walk, class);
	else
		skip_object(walk);
}

static void walk_member(struct walk *walk, struct object *object, const struct root_member *member)
{
	if (!walk->steps-- || walk->cursor.bad)
		walk->cursor.bad = true;
	else if (member->type == TYPE_BASE)
		walk_base(walk, &member->name);
	else if (member->type < TYPE_NUMBERS)
		walk_numbers(walk, object, member);
	else
		walk_other(walk, member);
}

static bool is_described(const struct root_text *class, unsigned version)
{
	for (size_t i = 0; i < sizeof(described_from) / sizeof(described_from[0]); i++)
		if (root_text_is(class, described_from[i].class) &&
			version < described_from[i].version)
			return false;
	return true;
}

static void walk_object(struct walk *walk, const struct root_text *class)
{
	struct root_front front = root_take_front(&walk->cursor);
	struct object object = { .class = root_streamers_find(
					 walk->streamers, class, front.version) };

	if (!object.class || !is_described(class, front.version) || walk->deep >= DEEP_MOST)
		walk->cursor.bad = true;
	walk->deep++;
	for (size_t i = 0; !walk->cursor.bad && i < object.class->count; i++)
		walk_member(walk, &object, &walk->streamers->members[object.class->first + i]);
	walk->deep--;
	if (walk->cursor.at != front.end)
		walk->cursor.bad = true;
}

int root_marks_find(struct root_marks *marks, const struct root_streamers *streamers,
	const struct root_text *class, const struct blob *payload, uint32_t key_bytes)
{
	struct walk walk = {
		.cursor = { .payload = payload, .key_bytes = key_bytes },
		.streamers = streamers,
		.marks = marks,
		.steps = STEPS_LEAST + payload->size,
	};

	walk_object(&walk, class);
	if (walk.cursor.bad || walk.cursor.at != payload->size)
		marks->count = 0;
	return walk.no_memory ? -1 : 0;
}
