#include "diff/root_streamers.h"

#include <stdlib.h>

#define OLD_ELEMENT 1 /* a version of TStreamerElement with another layout */
#define DIMENSIONS  5

static void take_named(struct root_cursor *cursor, struct root_text *name)
{
	struct root_front front = root_take_front(cursor);

	root_take_object(cursor);
	*name = root_take_text(cursor);
	root_take_end(cursor, &front);
}

static void take_element(
	struct root_cursor *cursor, const struct root_text *kind, struct root_member *member)
{
	struct root_front front = root_take_front(cursor), base = root_take_front(cursor);

	*member = (struct root_member){ .count_by = { "", 0 } };
	if (base.version <= OLD_ELEMENT)
		cursor->bad = true;
	take_named(cursor, &member->name);
	member->type = (uint32_t)root_take_number(cursor, 4);
	root_take_bytes(cursor, 4); /* size in memory */
	member->length = (uint32_t)root_take_number(cursor, 4);
	root_take_bytes(cursor, 4 + 4 * DIMENSIONS);
	member->class = root_take_text(cursor);
	root_take_end(cursor, &base);
	if (root_text_is(kind, "TStreamerBasicPointer")) {
		root_take_bytes(cursor, 4); /* version of the class that has the count */
		member->count_by = root_take_text(cursor);
	}
	root_take_end(cursor, &front);
}

static struct root_member *add_member(struct root_streamers *streamers)
{
	if (streamers->member_count == streamers->member_room) {
		size_t room = streamers->member_room ? 2 * streamers->member_room : 256;
		struct root_member *all = reallocarray(streamers->members, room, sizeof(*all));

		if (!all)
			return NULL;
		streamers->members = all;
		streamers->member_room = room;
	}
	return &streamers->members[streamers->member_count++];
}

static struct root_class *add_class(struct root_streamers *streamers)
{
	if (streamers->class_count == streamers->class_room) {
		size_t room = streamers->class_room ? 2 * streamers->class_room : 32;
		struct root_class *all = reallocarray(streamers->classes, room, sizeof(*all));

		if (!all)
			return NULL;
		streamers->classes = all;
		streamers->class_room = room;
	}
	return &streamers->classes[streamers->class_count++];
}

static int take_members(
	struct root_cursor *cursor, struct root_streamers *streamers, struct root_class *class)
{
	struct root_front front;
	uint64_t count = root_take_array(cursor, false, &front);

	for (uint64_t i = 0; i < count && !cursor->bad; i++) {
		struct root_member *member;
		uint64_t end;
		struct root_text kind = root_take_pointer(cursor, &end);

		if (!kind.size)
			cursor->bad = true;
		if (cursor->bad)
			break;
		member = add_member(streamers);
		if (!member)
			return -1;
		take_element(cursor, &kind, member);
		class->count++;
	}
	root_take_end(cursor, &front);
	return 0;
}

/* One TStreamerInfo; it is only kept when all of it was read. */
static int take_class(struct root_cursor *cursor, struct root_streamers *streamers)
{
	struct root_front front = root_take_front(cursor);
	struct root_class class = { .first = streamers->member_count }, *kept;
	struct root_text kind;
	uint64_t end;

	take_named(cursor, &class.name);
	root_take_bytes(cursor, 4); /* checksum */
	class.version = (uint32_t)root_take_number(cursor, 4);
	kind = root_take_pointer(cursor, &end);
	if (!root_text_is(&kind, "TObjArray"))
		cursor->bad = true;
	if (!cursor->bad && take_members(cursor, streamers, &class))
		return -1;
	root_take_end(cursor, &front);
	if (cursor->bad)
		return 0;
	kept = add_class(streamers);
	if (!kept)
		return -1;
	*kept = class;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	const struct root_class *one = a, *other = b;
	int order = root_text_order(&one->name, &other->name);

	return order ? order : (one->version > other->version) - (one->version < other->version);
}

int root_streamers_read(
	struct root_streamers *streamers, const struct blob *payload, uint32_t key_bytes)
{
	struct root_cursor cursor = { .payload = payload, .key_bytes = key_bytes };
	struct root_front front;
	uint64_t count = root_take_array(&cursor, true, &front);

	for (uint64_t i = 0; i < count && !cursor.bad; i++) {
		uint64_t end;
		struct root_text kind = root_take_pointer(&cursor, &end);

		if (cursor.bad)
			break;
		/* The list has rules of conversions, too. */
		if (root_text_is(&kind, "TStreamerInfo") && take_class(&cursor, streamers))
			return -1;
		if (!cursor.bad)
			cursor.at = end;
		root_take_text(&cursor); /* an option of the list's entry */
	}
	if (streamers->class_count)
		qsort(streamers->classes, streamers->class_count, sizeof(*streamers->classes),
			by_name);
	return 0;
}

void root_streamers_release(struct root_streamers *streamers)
{
	free(streamers->classes);
	free(streamers->members);
	*streamers = (struct root_streamers){ 0 };
}

const struct root_class *root_streamers_find(
	const struct root_streamers *streamers, const struct root_text *name, uint32_t version)
{
	const struct root_class wanted = { .name = *name, .version = version };

	if (!streamers->class_count)
		return NULL;
	return bsearch(&wanted, streamers->classes, streamers->class_count,
		sizeof(*streamers->classes), by_name);
}
