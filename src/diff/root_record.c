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
	const struct root_record *a, *b;
	struct pair packed;
	struct pair extra; /* what keys have behind their texts */
	bool same_packed, same_extra, same_title;
};

static struct records look_at(const struct root_pair *files, const struct root_record *record)
{
	struct records records = { .a = record, .b = record->mate };
	const struct root_key *one = &records.a->key, *other = &records.b->key;

	records.packed = (struct pair){ root_record_packed(&files->a, records.a),
		root_record_packed(&files->b, records.b) };
	records.extra = (struct pair){ root_record_extra(&files->a, records.a),
		root_record_extra(&files->b, records.b) };
	records.same_packed = one->object_bytes == other->object_bytes &&
			      blob_equal(&records.packed.a, &records.packed.b);
	records.same_extra = blob_equal(&records.extra.a, &records.extra.b);
	records.same_title = root_text_order(&one->title, &other->title) == 0;
	return records;
}

/* Matches have the same name; whatever else can differ is here. */
static bool is_same(const struct records *records)
{
	const struct root_key *a = &records->a->key, *b = &records->b->key;

	return records->same_packed && records->same_extra && records->same_title &&
	       a->time == b->time && a->cycle == b->cycle &&
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

static int say_damaged(struct node *node, bool a, bool b)
{
	return node_say(node, LEVEL_DIFFERENT, NULL, "damaged: cannot be unpacked in %s",
		a && b ? "A and B"
		: a    ? "A"
		       : "B");
}

static int out_of_memory(struct error *err, const char *name)
{
	return error_set(err, ENOMEM, "cannot compare %s", name);
}

/* A node for what is said of the records; their bytes were not the same. */
static struct node *compare_unpacked(struct diff *diff, const char *name,
	const struct records *records, const struct pair *pair, struct error *err)
{
	struct node *node = compare_pair(diff, name, pair, binary_compare, "ROOT object", err);

	(void)records;
	if (node && !node->ignored && blob_equal(&pair->a, &pair->b) &&
		node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
			"packed differently, the same when unpacked")) {
		node_free(node);
		out_of_memory(err, name);
		return NULL;
	}
	return node;
}

static struct node *node_of_damaged(const char *name, bool a, bool b, struct error *err)
{
	struct node *node = node_new(name, "ROOT object");

	if (node && say_damaged(node, a, b) == 0)
		return node;
	node_free(node);
	out_of_memory(err, name);
	return NULL;
}

/* As good as can be told without unpacking it. */
static struct node *node_of_too_large(
	const char *name, const struct records *records, struct budget *budget, struct error *err)
{
	bool same_length = records->a->key.object_bytes == records->b->key.object_bytes;
	struct node *node = budget->exceeded ? node_new(name, "ROOT object") : NULL;

	if (node && node_say(node, same_length ? LEVEL_STRUCTURE : LEVEL_DIFFERENT, NULL,
			    "not looked into: unpacked it has more than --memory-limit allows")) {
		node_free(node);
		out_of_memory(err, name);
		return NULL;
	}
	budget->exceeded = false;
	return node;
}

static struct node *unpack_and_compare(
	struct diff *diff, const char *name, const struct records *records, struct error *err)
{
	struct root_payload a, b;
	enum root_unpacked one, other;
	struct node *node = NULL;

	one = root_payload_open(
		&a, &records->packed.a, records->a->key.object_bytes, &diff->budget, err);
	if (one == PAYLOAD_FAILED)
		return node_of_too_large(name, records, &diff->budget, err);
	other = root_payload_open(
		&b, &records->packed.b, records->b->key.object_bytes, &diff->budget, err);
	if (one == PAYLOAD_READ && other == PAYLOAD_READ) {
		const struct pair pair = { a.blob, b.blob };

		node = compare_unpacked(diff, name, records, &pair, err);
	} else if (other != PAYLOAD_FAILED) {
		node = node_of_damaged(name, one != PAYLOAD_READ, other != PAYLOAD_READ, err);
	} else {
		node = node_of_too_large(name, records, &diff->budget, err);
	}
	if (one == PAYLOAD_READ)
		root_payload_close(&a, &diff->budget);
	if (other == PAYLOAD_READ)
		root_payload_close(&b, &diff->budget);
	return node;
}

static struct node *compare_bytes(
	struct diff *diff, const char *name, const struct records *records, struct error *err)
{
	struct node *node;

	if (!records->same_packed && records->a->kind == ROOT_OBJECT &&
		!compare_ignores(diff, name))
		return unpack_and_compare(diff, name, records, err);
	node = node_new(name, "ROOT object");
	if (!node)
		out_of_memory(err, name);
	else
		node->ignored = compare_ignores(diff, name);
	return node;
}

/* What keeps the file together is not compared: it follows from the rest, or is other anyway. */
static int say_bookkeeping(struct node *node, const struct records *records)
{
	node->ignored = true;
	node->format = "ROOT bookkeeping";
	if (records->same_packed)
		return 0;
	return node_say(node, LEVEL_CONTENT, NULL,
		"not compared: times, places, sizes and UUIDs of the file itself");
}

int root_record_compare(struct diff *diff, struct node *parent, const struct root_pair *files,
	const struct root_record *a, struct error *err)
{
	const struct records records = look_at(files, a);
	bool bookkeeping =
		a->kind < ROOT_DIRECTORY || (a->kind == ROOT_DIRECTORY && records.same_title);
	cleanup_free char *name = NULL;
	struct node *node;
	int failed;

	if (!bookkeeping && !diff->options->ignored_count && is_same(&records)) {
		node_count_equal(parent, 1);
		return 0;
	}
	name = root_record_name(&files->a, a);
	if (!name)
		return out_of_memory(err, "a record");
	node = compare_bytes(diff, name, &records, err);
	if (!node)
		return -1;
	failed = bookkeeping ? say_bookkeeping(node, &records) : say_key(node, &records);
	if (failed) {
		node_free(node);
		return out_of_memory(err, name);
	}
	return node_add(parent, node) ? out_of_memory(err, name) : 0;
}
