#include "diff/root_tree.h"

#include <stdlib.h>
#include <string.h>

#include "diff/root_marks.h"

#define DESCRIPTIONS_MOST (64u << 20) /* bytes; real ones have some thousands */

bool root_tree_is(const struct root_key *key)
{
	return root_text_is(&key->class, "TTree") || root_text_is(&key->class, "TNtuple") ||
	       root_text_is(&key->class, "TNtupleD");
}

void root_descriptions_release(struct root_descriptions *descriptions, struct budget *budget)
{
	root_streamers_release(&descriptions->streamers);
	if (descriptions->found)
		root_payload_close(&descriptions->payload, budget);
	*descriptions = (struct root_descriptions){ 0 };
}

static int find_descriptions(struct root_side *side, struct budget *budget)
{
	struct root_descriptions *descriptions = &side->descriptions;
	const struct root_record *record = root_file_find(&side->file, side->file.streamers_at);
	enum root_unpacked unpacked;
	struct blob packed;
	struct error err;

	if (descriptions->looked_for)
		return 0;
	descriptions->looked_for = true;
	if (!record || record->key.object_bytes > DESCRIPTIONS_MOST)
		return 0;
	packed = root_record_packed(&side->file, record);
	unpacked = root_payload_open(
		&descriptions->payload, &packed, record->key.object_bytes, budget, &err);
	if (unpacked == PAYLOAD_FAILED && !budget->exceeded)
		return -1;
	budget->exceeded = false;
	descriptions->found = unpacked == PAYLOAD_READ;
	if (!descriptions->found)
		return 0;
	return root_streamers_read(
		&descriptions->streamers, &descriptions->payload.blob, record->key.key_bytes);
}

static bool same_marks(const struct root_marks *a, const struct root_marks *b)
{
	if (!a->count || a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct root_mark *one = &a->list[i], *other = &b->list[i];

		if (one->at != other->at || one->bytes != other->bytes ||
			one->seek_bytes != other->seek_bytes)
			return false;
	}
	return true;
}

/* Is all that is not marked the same? */
static bool same_besides(const struct pair *payloads, const struct root_marks *marks)
{
	uint64_t at = 0;

	for (size_t i = 0; i <= marks->count; i++) {
		bool last = i == marks->count;
		uint64_t end = last ? payloads->a.size : marks->list[i].at;

		if (memcmp(payloads->a.data + at, payloads->b.data + at, end - at) != 0)
			return false;
		if (!last)
			at = end + marks->list[i].bytes;
	}
	return true;
}

static enum root_tree compare_seek(
	const struct root_file *a, uint64_t a_seek, const struct root_file *b, uint64_t b_seek)
{
	const struct root_record *one = root_file_find(a, a_seek);
	const struct root_record *other = root_file_find(b, b_seek);

	if (!a_seek && !b_seek)
		return TREE_PLACES;
	if (!one || !other)
		return TREE_OTHER;
	if (one->mate == other)
		return TREE_PLACES;
	return one->mate && other->mate ? TREE_BASKETS : TREE_OTHER;
}

/* The baskets at each index have to be mates: only then it is the same data in the same order. */
static enum root_tree compare_seeks(const struct root_file *a, const struct root_file *b,
	const struct pair *payloads, const struct root_marks *marks)
{
	enum root_tree result = TREE_PLACES;

	for (size_t i = 0; i < marks->count; i++) {
		const struct root_mark *mark = &marks->list[i];

		for (uint64_t k = 0; mark->seek_bytes && k < mark->bytes; k += mark->seek_bytes) {
			enum root_tree of_one = compare_seek(a,
				blob_be(&payloads->a, mark->at + k, mark->seek_bytes), b,
				blob_be(&payloads->b, mark->at + k, mark->seek_bytes));

			if (of_one == TREE_OTHER)
				return TREE_OTHER;
			if (of_one == TREE_BASKETS)
				result = TREE_BASKETS;
		}
	}
	return result;
}

static int mark(const struct root_side *side, const struct root_record *record,
	const struct blob *payload, struct root_marks *marks)
{
	return root_marks_find(marks, &side->descriptions.streamers, &record->key.class, payload,
		record->key.key_bytes);
}

int root_tree_compare(struct root_side *a, struct root_side *b, const struct root_record *record,
	const struct pair *payloads, struct budget *budget, enum root_tree *result)
{
	struct root_marks one = { 0 }, other = { 0 };
	int failed = 0;

	*result = TREE_OTHER;
	if (payloads->a.size != payloads->b.size)
		return 0;
	if (find_descriptions(a, budget) || find_descriptions(b, budget) ||
		mark(a, record, &payloads->a, &one) || mark(b, record->mate, &payloads->b, &other))
		failed = -1;
	else if (same_marks(&one, &other) && same_besides(payloads, &one))
		*result = compare_seeks(&a->file, &b->file, payloads, &one);
	free(one.list);
	free(other.list);
	return failed;
}
