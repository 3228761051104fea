#include "diff/root_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/binary.h"
#include "diff/cause.h"
#include "diff/root_name.h"
#include "diff/root_payload.h"

#define BASKET_HINTS 6 /* bytes behind the texts of a TBasket's key that no reader needs */

typedef unsigned long long number;

/* Two records, and what is known of them before they are unpacked. */
struct records {
	struct root_pair *files;
	const struct root_record *a, *b;
	struct pair packed;
	struct pair extra; /* what keys have behind their texts */
	bool same_packed, same_extra, same_title;
	bool ask_tree; /* the same payload may refer to other baskets */
};

static struct records look_at(struct root_pair *files, const struct root_record *record)
{
	struct records records = { .files = files, .a = record, .b = record->mate };
	const struct root_key *one = &records.a->key, *other = &records.b->key;

	records.packed = (struct pair){ root_record_packed(&files->a.file, records.a),
		root_record_packed(&files->b.file, records.b) };
	records.extra = (struct pair){ root_record_extra(&files->a.file, records.a),
		root_record_extra(&files->b.file, records.b) };
	records.same_packed = one->object_bytes == other->object_bytes &&
			      blob_equal(&records.packed.a, &records.packed.b);
	records.same_extra = blob_equal(&records.extra.a, &records.extra.b);
	records.ask_tree = files->a.file.baskets_moved && root_tree_is(one);
	records.same_title = root_text_order(&one->title, &other->title) == 0;
	return records;
}

/* Matches have the same name; whatever else can differ is here. */
static bool is_same(const struct records *records)
{
	const struct root_key *a = &records->a->key, *b = &records->b->key;

	return !records->ask_tree && records->same_packed && records->same_extra &&
	       records->same_title && a->time == b->time && a->cycle == b->cycle &&
	       root_text_order(&a->class, &b->class) == 0;
}

static int say_texts(struct node *node, enum level level, const char *what,
	const struct root_text *a, const struct root_text *b)
{
	cleanup_free char *one = root_text_copy(a), *other = root_text_copy(b);

	if (!one || !other)
		return -1;
	if (root_text_order(a, b) == 0)
		return 0;
	return node_say(node, level, cause_of_text(one, strlen(one), other, strlen(other)),
		"%s: %s, %s", what, one, other);
}

static int say_time(struct node *node, uint32_t a, uint32_t b)
{
	char one[ROOT_TIME_TEXT], other[ROOT_TIME_TEXT];

	if (a == b)
		return 0;
	root_time_text(a, one);
	root_time_text(b, other);
	return node_say(node, LEVEL_CONTENT, CAUSE_TIME, "time: %s, %s", one, other);
}

/* TBasket: its class's version and the size of a buffer, then numbers that tell how to read it. */
static int say_extra(struct node *node, const struct records *records)
{
	const struct blob *a = &records->extra.a, *b = &records->extra.b;
	struct blob one = blob_part(a, BASKET_HINTS, UINT64_MAX, NULL);
	struct blob other = blob_part(b, BASKET_HINTS, UINT64_MAX, NULL);

	if (a->size != b->size || !blob_equal(&one, &other) ||
		!root_text_is(&records->a->key.class, "TBasket"))
		return node_say(node, LEVEL_STRUCTURE, NULL,
			"the numbers behind the texts of its key differ");
	return node_say(node, LEVEL_CONTENT, CAUSE_VERSION,
		"class version and size of buffer: %llu and %llu, %llu and %llu",
		(number)blob_be(a, 0, 2), (number)blob_be(a, 2, 4), (number)blob_be(b, 0, 2),
		(number)blob_be(b, 2, 4));
}

static int say_key(struct node *node, const struct records *records)
{
	const struct root_key *a = &records->a->key, *b = &records->b->key;
	bool is_object = records->a->kind == ROOT_OBJECT;

	if (say_texts(node, LEVEL_DIFFERENT, "class", &a->class, &b->class) ||
		say_texts(node, LEVEL_STRUCTURE, "title", &a->title, &b->title))
		return -1;
	if (a->cycle != b->cycle &&
		node_say(node, LEVEL_DIFFERENT, NULL, "cycle: %d, %d", a->cycle, b->cycle))
		return -1;
	if (is_object && a->object_bytes != b->object_bytes &&
		node_say(node, LEVEL_DIFFERENT, NULL, "length: %u, %u bytes", a->object_bytes,
			b->object_bytes))
		return -1;
	if (is_object && !records->same_extra && say_extra(node, records))
		return -1;
	return say_time(node, a->time, b->time);
}

static int say_unlike(
	struct diff *diff, struct node *node, const struct pair *payloads, struct error *err)
{
	if (binary_compare(diff, node, payloads, err) != COMPARED)
		return -1;
	/* Numbers that happen to look like text have no cause. */
	node->findings[node->finding_count - 1].cause = NULL;
	return 0;
}

static int say_tree(struct diff *diff, struct node *node, const struct records *records,
	const struct pair *payloads, struct error *err)
{
	struct root_side *a = &records->files->a, *b = &records->files->b;
	bool same = blob_equal(&payloads->a, &payloads->b);
	enum root_tree tree;

	if (root_tree_compare(a, b, records->a, payloads, &diff->budget, &tree))
		return -1;
	if (tree == TREE_BASKETS || (tree == TREE_OTHER && same))
		return node_say(node, LEVEL_STRUCTURE, CAUSE_ORDER,
			"%s its baskets in another order",
			tree == TREE_BASKETS ? "has" : "may have");
	if (tree == TREE_OTHER)
		return say_unlike(diff, node, payloads, err);
	if (same)
		return 0;
	return node_say(node, LEVEL_CONTENT,
		a->file.compression != b->file.compression ? CAUSE_COMPRESSION : NULL,
		"only places and packed sizes of its baskets differ");
}

static int say_payloads(struct diff *diff, struct node *node, const struct records *records,
	const struct pair *payloads, struct error *err)
{
	bool same = blob_equal(&payloads->a, &payloads->b);

	if (same && !records->same_packed &&
		node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
			"packed differently, the same when unpacked"))
		return -1;
	if (records->ask_tree || (!same && root_tree_is(&records->a->key)))
		return say_tree(diff, node, records, payloads, err);
	return same ? 0 : say_unlike(diff, node, payloads, err);
}

/* As good as can be told without unpacking it. */
static int say_too_large(struct node *node, const struct records *records, struct budget *budget)
{
	bool same_length = records->a->key.object_bytes == records->b->key.object_bytes;

	if (!budget->exceeded)
		return -1;
	budget->exceeded = false;
	return node_say(node, same_length ? LEVEL_STRUCTURE : LEVEL_DIFFERENT, NULL,
		"not looked into: unpacked it has more than --memory-limit allows");
}

static int say_unreadable(struct node *node, const struct records *records, bool a, bool b)
{
	const struct root_key *one = &records->a->key, *other = &records->b->key;

	/* Of RNTuple: only its anchor tells how they are packed. */
	if (root_text_is(&one->class, "RBlob") && one->object_bytes == other->object_bytes)
		return node_say(node, LEVEL_STRUCTURE, NULL,
			"not looked into: a page that is packed in a way of its own");
	return node_say(node, LEVEL_DIFFERENT, NULL, "damaged: cannot be unpacked in %s",
		!b   ? "A"
		: !a ? "B"
		     : "A and B");
}

static int unpack_and_say(
	struct diff *diff, struct node *node, const struct records *records, struct error *err)
{
	struct root_payload a, b;
	enum root_unpacked one = root_payload_open(
		&a, &records->packed.a, records->a->key.object_bytes, &diff->budget, err);
	enum root_unpacked other = root_payload_open(
		&b, &records->packed.b, records->b->key.object_bytes, &diff->budget, err);
	int failed;

	if (one == PAYLOAD_FAILED || other == PAYLOAD_FAILED)
		failed = say_too_large(node, records, &diff->budget);
	else if (one == PAYLOAD_READ && other == PAYLOAD_READ)
		failed = say_payloads(diff, node, records, &(struct pair){ a.blob, b.blob }, err);
	else
		failed = say_unreadable(
			node, records, one == PAYLOAD_DAMAGED, other == PAYLOAD_DAMAGED);
	if (one == PAYLOAD_READ)
		root_payload_close(&a, &diff->budget);
	if (other == PAYLOAD_READ)
		root_payload_close(&b, &diff->budget);
	return failed;
}

/* What keeps the file together is not compared: it follows from the rest, or is other anyway. */
static int say_bookkeeping(struct node *node, const struct records *records)
{
	node->ignored = true;
	node->format = "ROOT bookkeeping";
	if (records->same_packed)
		return 0;
	return node_say(node, LEVEL_CONTENT, NULL, "not compared: %s",
		records->a->kind == ROOT_STREAMERS
			? "descriptions of classes"
			: "times, places, sizes and UUIDs of the file itself");
}

static int say_record(
	struct diff *diff, struct node *node, const struct records *records, struct error *err)
{
	if (node->ignored)
		return 0;
	if (records->a->kind == ROOT_OBJECT && (!records->same_packed || records->ask_tree) &&
		unpack_and_say(diff, node, records, err))
		return -1;
	return say_key(node, records);
}

int root_record_compare(struct diff *diff, struct node *parent, struct root_pair *files,
	const struct root_record *a, struct error *err)
{
	const struct records records = look_at(files, a);
	bool bookkeeping =
		a->kind < ROOT_DIRECTORY || (a->kind == ROOT_DIRECTORY && records.same_title);
	cleanup_free char *name = NULL;
	struct node *node;

	if (!bookkeeping && !diff->options->ignored_count && is_same(&records)) {
		node_count_equal(parent, 1);
		return 0;
	}
	name = root_record_name(&files->a.file, a);
	error_set(err, ENOMEM, "cannot compare %s", name ? name : "a record");
	node = name ? node_new(name, "ROOT object") : NULL;
	if (!node)
		return -1;
	node->ignored = compare_ignores(diff, name);
	if (bookkeeping ? say_bookkeeping(node, &records) : say_record(diff, node, &records, err)) {
		node_free(node);
		return -1;
	}
	return node_add(parent, node);
}
