#include "diff/listed.h"

#include <errno.h>
#include <stdlib.h>

struct member *listed_add(struct members *members, const struct diff *diff, const char *name,
	const struct blob *bytes, struct error *err)
{
	struct member *member = members_add(members, diff, name, err);

	if (member && bytes) {
		member->blob = *bytes;
		member->has_bytes = true;
	}
	return member;
}

static enum compared compare_lists(struct diff *diff, struct node *node, struct members *a,
	struct members *b, const struct remainder *remainder, struct error *err)
{
	if (members_compare(diff, node, a, b, NULL, err))
		return COMPARE_FAILED;
	if (node->level == LEVEL_BITS &&
		node_say(node, LEVEL_CONTENT, remainder->cause, "%s", remainder->what)) {
		error_set(err, ENOMEM, "cannot compare %s", node->name);
		return COMPARE_FAILED;
	}
	return COMPARED;
}

enum compared listed_compare(struct diff *diff, struct node *node, const struct pair *pair,
	list_function *list, const struct remainder *remainder, struct error *err)
{
	struct members a = { 0 }, b = { 0 };
	enum compared compared;

	error_set(err, ENOMEM, "cannot compare %s", node->name);
	compared = list(diff, &pair->a, &a, err);
	if (compared == COMPARED)
		compared = list(diff, &pair->b, &b, err);
	if (compared == COMPARED)
		compared = compare_lists(diff, node, &a, &b, remainder, err);
	members_release(diff, &a);
	members_release(diff, &b);
	return compared;
}

void listed_texts_start(struct listed_texts *texts, struct diff *diff, struct members *members)
{
	*texts = (struct listed_texts){ .diff = diff, .members = members };
	blob_write_start(&texts->writer, &diff->budget);
}

static int note_place(struct listed_texts *texts, size_t member, struct error *err)
{
	if (texts->count == texts->room) {
		size_t room = texts->room ? 2 * texts->room : 64;
		struct text_place *list = reallocarray(texts->list, room, sizeof(*list));

		if (!list)
			return error_set(err, ENOMEM, "cannot list members");
		texts->list = list;
		texts->room = room;
	}
	texts->list[texts->count++] = (struct text_place){ member, texts->writer.size };
	return 0;
}

struct member *listed_texts_add(struct listed_texts *texts, const char *name, struct error *err)
{
	return note_place(texts, texts->members->count, err)
		       ? NULL
		       : members_add(texts->members, texts->diff, name, err);
}

int listed_texts_begin(struct listed_texts *texts, struct error *err)
{
	return note_place(texts, texts->members->count - 1, err);
}

static void give_bytes(const struct listed_texts *texts)
{
	struct member *members = texts->members->list;
	const struct blob *whole = &members[0].blob;

	for (size_t i = 0; i < texts->count; i++) {
		const struct text_place *text = &texts->list[i];
		uint64_t end = i + 1 < texts->count ? text[1].start : whole->size;

		members[text->member].blob = blob_part(whole, text->start, end - text->start, NULL);
		members[text->member].has_bytes = true;
	}
}

enum compared listed_texts_end(struct listed_texts *texts, enum compared done, struct error *err)
{
	if (done != COMPARED) {
		blob_write_cancel(&texts->writer);
	} else if (blob_write_finish(&texts->writer, &texts->members->list[0].blob, NULL, err)) {
		done = COMPARE_FAILED;
	} else {
		texts->members->list[0].unpacked = true;
		give_bytes(texts);
	}
	free(texts->list);
	return done;
}
