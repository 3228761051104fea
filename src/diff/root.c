#include "diff/root.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/root_match.h"
#include "diff/root_name.h"
#include "diff/root_record.h"

typedef unsigned long long number;

bool root_is(const struct blob *blob)
{
	return root_file_is(blob);
}

/* Records of which only one file has the like. */
static int compare_lonely(struct diff *diff, struct node *parent, const struct root_file *file,
	const struct root_record *record, const char *side)
{
	cleanup_free char *name = root_record_name(file, record);
	struct node *node = name ? node_new(name, "ROOT object") : NULL;
	bool unlisted;

	if (!node)
		return -1;
	node->ignored = record->kind < ROOT_DIRECTORY || compare_ignores(diff, name);
	/* Nobody lists a TBasket: its tree knows it. */
	unlisted = record->kind == ROOT_OBJECT && !record->listed &&
		   !root_text_is(&record->key.class, "TBasket");
	if (node_say(node, LEVEL_DIFFERENT, NULL, "only in %s%s", side,
		    unlisted ? ", and no directory lists it" : "")) {
		node_free(node);
		return -1;
	}
	return node_add(parent, node);
}

static int compare_records(
	struct diff *diff, struct node *node, struct root_pair *files, struct error *err)
{
	const struct root_file *a = &files->a.file, *b = &files->b.file;
	int failed = 0;

	for (size_t i = 0; !failed && i < a->record_count; i++) {
		if (a->records[i].mate)
			failed = root_record_compare(diff, node, files, &a->records[i], err);
		else
			failed = compare_lonely(diff, node, a, &a->records[i], "A");
	}
	for (size_t i = 0; !failed && i < b->record_count; i++)
		if (!b->records[i].mate)
			failed = compare_lonely(diff, node, b, &b->records[i], "B");
	return failed;
}

static int say_order(struct node *node, const struct root_file *a)
{
	uint64_t at = 0;

	for (size_t i = 0; i < a->record_count; i++) {
		const struct root_record *record = &a->records[i], *mate = record->mate;

		if (!mate || record->kind != ROOT_OBJECT)
			continue;
		if (mate->at < at)
			return node_say(node, LEVEL_CONTENT, CAUSE_ORDER,
				"the objects come in another order");
		at = mate->at;
	}
	return 0;
}

static int say_name(struct node *node, const struct root_text *a, const struct root_text *b,
	enum level level, const char *what)
{
	cleanup_free char *one = root_text_copy(a), *other = root_text_copy(b);

	if (!one || !other)
		return -1;
	if (root_text_order(a, b) == 0)
		return 0;
	return node_say(node, level, NULL, "the file's %s: %s, %s", what, one, other);
}

static void uuid_text(const unsigned char uuid[ROOT_UUID], char text[2 * ROOT_UUID + 1])
{
	for (int i = 0; i < ROOT_UUID; i++)
		snprintf(text + 2 * i, 3, "%02x", uuid[i]);
}

static int say_uuid(struct node *node, const struct root_file *a, const struct root_file *b)
{
	char one[2 * ROOT_UUID + 1], other[2 * ROOT_UUID + 1];

	if (memcmp(a->uuid, b->uuid, ROOT_UUID) == 0)
		return 0;
	uuid_text(a->uuid, one);
	uuid_text(b->uuid, other);
	return node_say(node, LEVEL_CONTENT, CAUSE_RANDOM, "UUID: %s, %s", one, other);
}

static int say_times(struct node *node, const char *what, uint32_t a, uint32_t b)
{
	char one[ROOT_TIME_TEXT], other[ROOT_TIME_TEXT];

	if (a == b)
		return 0;
	root_time_text(a, one);
	root_time_text(b, other);
	return node_say(node, LEVEL_CONTENT, CAUSE_TIME, "%s: %s, %s", what, one, other);
}

static int say_version(struct node *node, const struct root_file *a, const struct root_file *b)
{
	unsigned one = a->version % 1000000, other = b->version % 1000000;

	if (a->version == b->version)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_VERSION,
		"written by ROOT %u.%02u/%02u%s, %u.%02u/%02u%s", one / 10000, one / 100 % 100,
		one % 100, a->wide ? " (64-bit)" : "", other / 10000, other / 100 % 100,
		other % 100, b->wide ? " (64-bit)" : "");
}

static int say_header(struct node *node, const struct root_file *a, const struct root_file *b)
{
	const struct root_key *one = &a->records[0].key, *other = &b->records[0].key;
	const struct root_directory *top = &a->directories[0], *other_top = &b->directories[0];

	if (say_version(node, a, b) ||
		say_name(node, &one->name, &other->name, LEVEL_CONTENT, "own name") ||
		say_name(node, &one->title, &other->title, LEVEL_STRUCTURE, "title") ||
		say_uuid(node, a, b) ||
		say_times(node, "created", top->created, other_top->created) ||
		say_times(node, "modified", top->modified, other_top->modified))
		return -1;
	if (a->compression != b->compression &&
		node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION, "compression setting: %u, %u",
			a->compression, b->compression))
		return -1;
	return a->gaps == b->gaps && a->gap_bytes == b->gap_bytes
		       ? 0
		       : node_say(node, LEVEL_CONTENT, NULL,
				 "deleted records: %llu of %llu bytes, %llu of %llu bytes",
				 (number)a->gaps, (number)a->gap_bytes, (number)b->gaps,
				 (number)b->gap_bytes);
}

/* From where on nothing is known. */
static struct blob rest_of(const struct root_file *file)
{
	return file->damage_at ? blob_part(file->blob, file->scan_end, UINT64_MAX, NULL)
			       : blob_part(file->blob, 0, 0, NULL);
}

static int say_damage(struct node *node, const struct root_file *file, const char *side,
	const struct root_file *other)
{
	struct blob rest = rest_of(file), other_rest = rest_of(other);

	if (!file->damage_at || (other->damage_at && blob_equal(&rest, &other_rest)))
		return 0;
	return node_say(node, LEVEL_DIFFERENT, NULL, "damaged record at 0x%llx of %s",
		(number)file->damage_at, side);
}

/* What nothing above told: places, sizes, and what deleted records have left behind. */
static int say_unseen(struct node *node)
{
	if (node->level != LEVEL_BITS)
		return 0;
	return node_say(node, LEVEL_CONTENT, NULL,
		"differs only in what keeps the file together, or in deleted records");
}

static int say_table(struct node *node)
{
	const uint64_t *of = node->objects;
	uint64_t objects = node->ignored_objects;
	char *table;

	for (int i = 0; i <= LEVEL_DIFFERENT; i++)
		objects += of[i];
	if (asprintf(&table,
		    "objects         %10llu\n"
		    "ignored         %10llu\n"
		    "not equal       %10llu\n"
		    "structure equal %10llu\n"
		    "content equal   %10llu\n"
		    "bitwise equal   %10llu\n",
		    (number)objects, (number)node->ignored_objects, (number)of[LEVEL_DIFFERENT],
		    (number)of[LEVEL_STRUCTURE], (number)of[LEVEL_CONTENT],
		    (number)of[LEVEL_BITS]) < 0)
		return -1;
	if (node_say(node, LEVEL_BITS, NULL, "objects of the ROOT file by level")) {
		free(table);
		return -1;
	}
	node_show(node, table);
	return 0;
}

static enum compared compare_files(
	struct diff *diff, struct node *node, struct root_pair *files, struct error *err)
{
	struct root_file *a = &files->a.file, *b = &files->b.file;

	if (root_directories_identify(a, b) || root_match(a, b) || say_header(node, a, b) ||
		say_damage(node, a, "A", b) || say_damage(node, b, "B", a) ||
		compare_records(diff, node, files, err) || say_order(node, a) || say_unseen(node) ||
		say_table(node))
		return COMPARE_FAILED;
	return COMPARED;
}

static void release(struct root_side *side, struct budget *budget)
{
	root_descriptions_release(&side->descriptions, budget);
	root_file_release(&side->file);
}

enum compared root_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct root_pair files = { 0 };
	enum compared compared = COMPARE_FAILED;
	enum root_read a, b = ROOT_DAMAGED;

	error_set(err, ENOMEM, "cannot compare %s", diff->path ? diff->path : node->name);
	a = root_file_read(&files.a.file, &pair->a, diff->options->members, err);
	if (a == ROOT_READ)
		b = root_file_read(&files.b.file, &pair->b, diff->options->members, err);
	if (a == ROOT_DAMAGED || (a == ROOT_READ && b == ROOT_DAMAGED))
		compared = NOT_THIS;
	else if (a == ROOT_READ && b == ROOT_READ)
		compared = compare_files(diff, node, &files, err);
	release(&files.a, &diff->budget);
	release(&files.b, &diff->budget);
	return compared;
}
