#include "diff/root_match.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* How much of it two records have to have in common. */
enum likeness { LIKE_NAME, LIKE_CLASS, LIKE_CYCLE, LIKE_TITLE };

/* A record with what it is sorted by. */
struct entry {
	struct root_record *record;
	uint32_t place; /* its directory's identity */
	uint64_t hash;	/* of its payload, among several that are alike */
};

struct entries {
	struct entry *list;
	size_t count;
};

static int order_numbers(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

static int order_alike(const struct entry *a, const struct entry *b, enum likeness likeness)
{
	const struct root_key *one = &a->record->key, *other = &b->record->key;
	int order = order_numbers(a->record->kind, b->record->kind);

	if (!order)
		order = order_numbers(a->place, b->place);
	if (!order)
		order = order_numbers(a->record->listed, b->record->listed);
	/* What keeps the file together has the file's name; there is one of each in a directory. */
	if (order || a->record->kind < ROOT_DIRECTORY)
		return order;
	order = root_text_order(&one->name, &other->name);
	if (!order && likeness >= LIKE_CLASS)
		order = root_text_order(&one->class, &other->class);
	if (!order && likeness >= LIKE_CYCLE)
		order = (one->cycle > other->cycle) - (one->cycle < other->cycle);
	if (!order && likeness >= LIKE_TITLE)
		order = root_text_order(&one->title, &other->title);
	return order;
}

static int by_likeness(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;
	int order = order_alike(one, other, LIKE_TITLE);

	return order ? order : order_numbers(one->record->at, other->record->at);
}

static int by_hash(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;
	int order = order_numbers(one->hash, other->hash);

	return order ? order : order_numbers(one->record->at, other->record->at);
}

static int by_place(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;

	return order_numbers(one->record->at, other->record->at);
}

/* Those that have the same name in reports, where only that of a TBasket tells its title. */
static void number(const struct entry *before, const struct entry *entry)
{
	bool is_basket = root_text_is(&entry->record->key.class, "TBasket");

	if (order_alike(before, entry, is_basket ? LIKE_TITLE : LIKE_CYCLE) == 0)
		entry->record->again = before->record->again + 1;
}

static int list_entries(struct entries *entries, struct root_file *file)
{
	entries->count = file->record_count;
	entries->list = calloc(entries->count, sizeof(*entries->list));
	if (!entries->list)
		return -1;
	for (size_t i = 0; i < entries->count; i++) {
		struct root_record *record = &file->records[i];

		entries->list[i] = (struct entry){ .record = record,
			.place = file->directories[record->directory].identity };
	}
	qsort(entries->list, entries->count, sizeof(*entries->list), by_likeness);
	for (size_t i = 1; i < entries->count; i++)
		number(&entries->list[i - 1], &entries->list[i]);
	return 0;
}

static void marry(const struct entry *a, const struct entry *b)
{
	a->record->mate = b->record;
	b->record->mate = a->record;
}

/* Marries those of two sorted lists that are alike, and still alone. */
static void marry_alike(const struct entries *a, const struct entries *b, enum likeness likeness)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		int order;

		if (a->list[i].record->mate) {
			i++;
			continue;
		}
		if (b->list[k].record->mate) {
			k++;
			continue;
		}
		order = order_alike(&a->list[i], &b->list[k], likeness);
		if (!order)
			marry(&a->list[i++], &b->list[k++]);
		else if (order < 0)
			i++;
		else
			k++;
	}
}

static void hash_all(const struct root_file *file, const struct entries *group)
{
	for (size_t i = 0; i < group->count; i++) {
		struct blob packed = root_record_packed(file, group->list[i].record);

		group->list[i].hash = XXH64(packed.data, packed.size, 0);
	}
	qsort(group->list, group->count, sizeof(*group->list), by_hash);
}

static void marry_same_bytes(const struct root_file *a_file, const struct entries *a,
	const struct root_file *b_file, const struct entries *b)
{
	size_t i = 0, k = 0;

	hash_all(a_file, a);
	hash_all(b_file, b);
	while (i < a->count && k < b->count) {
		int order = order_numbers(a->list[i].hash, b->list[k].hash);

		if (!order)
			marry(&a->list[i++], &b->list[k++]);
		else if (order < 0)
			i++;
		else
			k++;
	}
	qsort(a->list, a->count, sizeof(*a->list), by_place);
	qsort(b->list, b->count, sizeof(*b->list), by_place);
}

static struct entries group_at(const struct entries *entries, size_t at)
{
	struct entries group = { entries->list + at, 1 };

	while (at + group.count < entries->count &&
		!order_alike(group.list, &group.list[group.count], LIKE_TITLE))
		group.count++;
	return group;
}

/* Among several that are alike in all but their bytes: TBasket of two trees of one name. */
static void marry_groups(const struct root_file *a_file, const struct entries *a,
	const struct root_file *b_file, const struct entries *b)
{
	size_t i = 0, k = 0;

	while (i < a->count && k < b->count) {
		struct entries one = group_at(a, i), other = group_at(b, k);
		int order = order_alike(one.list, other.list, LIKE_TITLE);

		if (!order && (one.count > 1 || other.count > 1))
			marry_same_bytes(a_file, &one, b_file, &other);
		if (order <= 0)
			i += one.count;
		if (order >= 0)
			k += other.count;
	}
}

static bool has_moved_baskets(const struct root_file *file)
{
	for (size_t i = 0; i < file->record_count; i++) {
		const struct root_record *record = &file->records[i];

		if (record->mate && record->mate->at != record->at &&
			root_text_is(&record->key.class, "TBasket"))
			return true;
	}
	return false;
}

int root_match(struct root_file *a, struct root_file *b)
{
	struct entries one = { 0 }, other = { 0 };
	int failed = list_entries(&one, a) || list_entries(&other, b) ? -1 : 0;

	if (!failed) {
		marry_groups(a, &one, b, &other);
		for (int likeness = LIKE_TITLE; likeness >= LIKE_NAME; likeness--)
			marry_alike(&one, &other, (enum likeness)likeness);
		a->baskets_moved = has_moved_baskets(a);
	}
	free(one.list);
	free(other.list);
	return failed;
}
