#include "diff/hdf5.h"

#include <errno.h>
#include <string.h>

#include "diff/hdf5_child.h"
#include "diff/hdf5_list.h"

#define FIRST_BLOCK 512 /* a user's own block before the file has this size, or twice of it ... */

/* The first value in which two lists of numbers differ. */
#define FACT_VALUE "first value that differs"

bool hdf5_is(const struct blob *blob)
{
	static const char signature[] = "\x89HDF\r\n\x1a\n";

	for (uint64_t at = 0; at < blob->size; at = at ? 2 * at : FIRST_BLOCK)
		if (blob_has(blob, at, signature, sizeof(signature) - 1))
			return true;
	return false;
}

/* Both files, and whether they were read. */
struct work {
	struct diff *diff;
	struct hdf5_listed sides[2];
};

static uint64_t raw_number(
	const struct blob *bytes, uint64_t at, const struct hdf5_numbers *numbers)
{
	return numbers->big ? blob_be(bytes, at, numbers->size) : blob_le(bytes, at, numbers->size);
}

static double as_float(uint64_t raw, unsigned size)
{
	uint32_t narrow = (uint32_t)raw;
	double wide;
	float value;

	if (size == sizeof(value)) {
		memcpy(&value, &narrow, sizeof(value));
		return (double)value;
	}
	memcpy(&wide, &raw, sizeof(wide));
	return wide;
}

static int add_value(struct member *member, uint64_t element, const struct hdf5_numbers *numbers)
{
	uint64_t raw = raw_number(&member->blob, element * numbers->size, numbers);
	unsigned unused = 64 - 8u * numbers->size;
	unsigned long long index = element;

	if (numbers->class == 'f')
		return member_fact(member, FACT_VALUE, LEVEL_STRUCTURE, NULL, "[%llu] %.17g", index,
			as_float(raw, numbers->size));
	if (numbers->class == 'i')
		return member_fact(member, FACT_VALUE, LEVEL_STRUCTURE, NULL, "[%llu] %lld", index,
			(long long)(raw << unused) >> unused);
	return member_fact(member, FACT_VALUE, LEVEL_STRUCTURE, NULL, "[%llu] %llu", index,
		(unsigned long long)raw);
}

static bool are_numbers(const struct hdf5_numbers *numbers)
{
	return (numbers->class == 'f' && (numbers->size == 4 || numbers->size == 8)) ||
	       ((numbers->class == 'i' || numbers->class == 'u') && numbers->size &&
		       numbers->size <= 8);
}

/* Numbers are told as such, beside their bytes. */
static int add_values(void *context, struct member *a, struct member *b, struct error *err)
{
	const struct hdf5_numbers numbers = hdf5_numbers_of(a);
	uint64_t size = a->blob.size, at = 0;

	(void)context;
	if (a->at != b->at || size != b->blob.size || !are_numbers(&numbers))
		return 0;
	while (at < size && a->blob.data[at] == b->blob.data[at])
		at++;
	if (at == size)
		return 0;
	return add_value(a, at / numbers.size, &numbers) ||
			       add_value(b, at / numbers.size, &numbers)
		       ? error_set(err, ENOMEM, "cannot compare %s", a->name)
		       : 0;
}

/* They are there already. */
static int load(void *context, struct member *member, int side, struct error *err)
{
	(void)context, (void)member, (void)side, (void)err;
	return 0;
}

static void drop(void *context, struct member *member, int side)
{
	(void)context, (void)member, (void)side;
}

static enum compared read_side(
	struct work *work, int side, const struct blob *blob, struct error *err)
{
	struct hdf5_child child;
	enum compared read;

	if (hdf5_child_start(&child, blob, &work->diff->budget, err))
		return COMPARE_FAILED;
	read = hdf5_list(&work->sides[side], work->diff, child.records, err);
	hdf5_child_end(&child);
	return read;
}

/* What cannot be read on both sides may differ. */
static int say_rest(const struct work *work, struct node *node)
{
	unsigned long long unreadable = work->sides[0].unreadable;

	if (unreadable < work->sides[1].unreadable)
		unreadable = work->sides[1].unreadable;
	if (unreadable)
		return node_say(node, LEVEL_STRUCTURE, NULL,
			"libhdf5 cannot read all of %llu objects: a filter may be missing",
			unreadable);
	if (node->level != LEVEL_BITS || node->ignored_objects)
		return 0;
	return node_say(node, LEVEL_CONTENT, NULL,
		"the same objects: only times, places or the form of what is stored differ");
}

static enum compared compare_sides(struct work *work, struct node *node, struct error *err)
{
	const struct members_loader loader = {
		.context = work, .facts = add_values, .load = load, .drop = drop
	};

	if (members_compare(work->diff, node, &work->sides[0].members, &work->sides[1].members,
		    &loader, err))
		return COMPARE_FAILED;
	if (say_rest(work, node) == 0)
		return COMPARED;
	error_set(err, ENOMEM, "cannot compare %s", node->name);
	return COMPARE_FAILED;
}

enum compared hdf5_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	struct work work = { .diff = diff };
	enum compared compared = read_side(&work, 0, &pair->a, err);

	if (compared == COMPARED)
		compared = read_side(&work, 1, &pair->b, err);
	if (compared == COMPARED)
		compared = compare_sides(&work, node, err);
	members_release(diff, &work.sides[0].members);
	members_release(diff, &work.sides[1].members);
	if (compared != NOT_THIS)
		return compared;
	return compare_as_bytes(diff, node, pair,
		work.sides[0].no_library ? "libhdf5 is not at hand" : "libhdf5 cannot read it",
		err);
}
