#include "diff/git_pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "diff/cause.h"
#include "diff/git_delta.h"
#include "diff/inflated.h"
#include "diff/listed.h"

typedef unsigned long long number;

#define HEADER	    12
#define ID	    SHA_DIGEST_LENGTH
#define CHAIN_MOST  4096 /* deltas on deltas: git's own limit */
#define WORK_FACTOR 256	 /* bytes that deltas may make for each unpacked one */
#define WORK_LEAST  (1u << 20)
#define ROUNDS_MOST 64		 /* of looking for bases by their ids */
#define OBJECT_MOST (1ull << 30) /* bytes of one that is made by deltas */

enum type {
	TYPE_COMMIT = 1,
	TYPE_TREE,
	TYPE_BLOB,
	TYPE_TAG,
	TYPE_OFFSET_DELTA = 6,
	TYPE_ID_DELTA = 7,
};

static const char *const type_names[] = {
	[TYPE_COMMIT] = "commit", [TYPE_TREE] = "tree", [TYPE_BLOB] = "blob", [TYPE_TAG] = "tag"
};

struct object {
	uint64_t place;	      /* in the pack */
	unsigned packed_type; /* of it, or that of its delta */
	struct blob packed;   /* itself, or its delta */
	uint64_t start, packed_size;
	uint64_t base_place; /* of a delta: one of these two */
	unsigned char base_id[ID];
	unsigned type; /* once it is known, as are these */
	uint64_t size;
	unsigned char id[ID];
};

struct pack {
	struct diff *diff;
	const struct blob *blob;
	struct members *members;
	struct blob_writer writer;
	struct blob unpacked; /* of all objects and deltas, one after another */
	struct object *objects;
	size_t count, known;
	struct object **by_id; /* those that are known, sorted */
	uint64_t work_left;    /* bytes that deltas may still make */
	struct object *made;   /* by them last: often the next one's base */
	struct blob made_bytes;
};

bool git_pack_is(const struct blob *blob)
{
	return blob_has(blob, 0, "PACK\0\0\0\2", 8) && blob->size >= HEADER + ID;
}

/* Type and size: four bits of that in the first byte, seven in each that follows. */
static bool take_header(const struct blob *blob, uint64_t *at, unsigned *type, uint64_t *size)
{
	unsigned char byte = (unsigned char)blob_be(blob, (*at)++, 1);

	*type = byte >> 4 & 7;
	*size = byte & 0xf;
	for (unsigned shift = 4; byte & 0x80; shift += 7) {
		if (shift > 56 || *at >= blob->size)
			return false;
		byte = blob->data[(*at)++];
		*size |= (uint64_t)(byte & 0x7f) << shift;
	}
	return *type && *type != 5;
}

/* How far before the delta its base begins. */
static bool take_offset(const struct blob *blob, uint64_t *at, uint64_t *offset)
{
	unsigned char byte = (unsigned char)blob_be(blob, (*at)++, 1);

	*offset = byte & 0x7f;
	while (byte & 0x80) {
		if (*offset >> 50 || *at >= blob->size)
			return false;
		byte = blob->data[(*at)++];
		*offset = (*offset + 1) << 7 | (byte & 0x7f);
	}
	return true;
}

static bool take_base(const struct blob *blob, uint64_t *at, struct object *object)
{
	uint64_t offset;

	if (object->packed_type == TYPE_OFFSET_DELTA) {
		if (!take_offset(blob, at, &offset) || !offset || offset > object->place)
			return false;
		object->base_place = object->place - offset;
	} else if (object->packed_type == TYPE_ID_DELTA) {
		if (blob->size - *at < ID)
			return false;
		memcpy(object->base_id, blob->data + *at, ID);
		*at += ID;
	}
	return true;
}

/* What was unpacked; refused beyond the size that the pack tells. */
struct sink {
	struct blob_writer *writer;
	uint64_t left;
};

static enum compared take_piece(
	void *context, const unsigned char *data, size_t bytes, struct error *err)
{
	struct sink *sink = context;

	if (bytes > sink->left)
		return NOT_THIS;
	sink->left -= bytes;
	return blob_write(sink->writer, data, bytes, err) ? COMPARE_FAILED : COMPARED;
}

static enum compared unpack_object(
	struct pack *pack, uint64_t *at, struct object *object, struct error *err)
{
	/* The last bytes are the pack's checksum. */
	struct blob body = blob_part(pack->blob, 0, pack->blob->size - ID, NULL), packed;
	struct sink sink = { .writer = &pack->writer };
	uint64_t used = 0;
	enum compared done;

	*object = (struct object){ .place = *at, .start = pack->writer.size };
	if (*at >= body.size ||
		!take_header(&body, at, &object->packed_type, &object->packed_size) ||
		*at > body.size || !take_base(&body, at, object) || *at > body.size)
		return NOT_THIS;
	sink.left = object->packed_size;
	packed = blob_part(&body, *at, UINT64_MAX, NULL);
	done = inflated_each(&packed, take_piece, &sink, &used, err);
	*at += used;
	return done == COMPARED && sink.left ? NOT_THIS : done;
}

static enum compared unpack_all(struct pack *pack, struct error *err)
{
	uint64_t at = HEADER;
	enum compared done = COMPARED;

	for (size_t i = 0; i < pack->count && done == COMPARED; i++)
		done = unpack_object(pack, &at, &pack->objects[i], err);
	if (done == COMPARED && at != pack->blob->size - ID)
		done = NOT_THIS;
	return done;
}

static bool has_checksum(const struct blob *blob)
{
	unsigned char digest[ID];

	SHA1(blob->data, blob->size - ID, digest);
	return blob_has(blob, blob->size - ID, digest, ID);
}

static void identify(struct object *object, unsigned type, const struct blob *bytes)
{
	char header[32];
	int size =
		snprintf(header, sizeof(header), "%s %llu", type_names[type], (number)bytes->size);
	SHA_CTX state;

	SHA1_Init(&state);
	SHA1_Update(&state, header, (size_t)size + 1);
	SHA1_Update(&state, bytes->data, bytes->size);
	SHA1_Final(object->id, &state);
	object->type = type;
	object->size = bytes->size;
}

static int order_places(const void *key, const void *object)
{
	uint64_t place = *(const uint64_t *)key, other = ((const struct object *)object)->place;

	return (place > other) - (place < other);
}

static int by_id(const void *a, const void *b)
{
	return memcmp((*(struct object *const *)a)->id, (*(struct object *const *)b)->id, ID);
}

static int order_ids(const void *key, const void *object)
{
	return memcmp(key, (*(struct object *const *)object)->id, ID);
}

static struct object *base_of(const struct pack *pack, const struct object *object)
{
	struct object **found;

	if (object->packed_type == TYPE_OFFSET_DELTA)
		return bsearch(&object->base_place, pack->objects, pack->count,
			sizeof(*pack->objects), order_places);
	found = bsearch(object->base_id, pack->by_id, pack->known, sizeof(*pack->by_id), order_ids);
	return found ? *found : NULL;
}

static bool is_delta(const struct object *object)
{
	return object->packed_type == TYPE_OFFSET_DELTA || object->packed_type == TYPE_ID_DELTA;
}

/* Takes the place of what was made before. */
static void keep_made(struct pack *pack, struct object *object, const struct blob *bytes)
{
	free((void *)pack->made_bytes.data);
	pack->made = object;
	pack->made_bytes = *bytes;
}

/* The object, from its base; it becomes what was made last. */
static enum compared make(
	struct pack *pack, struct object *object, const struct blob *base, struct error *err)
{
	uint64_t size = git_delta_size(&object->packed, base->size);
	struct blob bytes = { .size = size };
	unsigned char *data;

	if (size > OBJECT_MOST || size > pack->work_left)
		return NOT_THIS;
	pack->work_left -= size;
	data = malloc(size + 1);
	if (!data) {
		error_set(err, ENOMEM, "cannot hold an object of a pack");
		return COMPARE_FAILED;
	}
	if (!git_delta_apply(&object->packed, base, data)) {
		free(data);
		return NOT_THIS;
	}
	bytes.data = data;
	keep_made(pack, object, &bytes);
	return COMPARED;
}

/* Those from a delta down to an object that is there; 0 when a base is missing. */
static size_t find_chain(
	const struct pack *pack, struct object *object, struct object *chain[CHAIN_MOST])
{
	size_t length = 0;

	while (length < CHAIN_MOST) {
		chain[length++] = object;
		if (!is_delta(object) || object == pack->made)
			return length;
		object = base_of(pack, object);
		if (!object)
			return 0;
	}
	return 0;
}

static enum compared resolve(struct pack *pack, struct object *object, struct error *err)
{
	struct object *chain[CHAIN_MOST];
	size_t length = find_chain(pack, object, chain);
	enum compared done = COMPARED;
	struct blob base;

	if (!length)
		return COMPARED;
	base = is_delta(chain[length - 1]) ? pack->made_bytes : chain[length - 1]->packed;
	for (size_t i = length - 1; i-- > 0 && done == COMPARED;) {
		done = make(pack, chain[i], &base, err);
		base = pack->made_bytes;
	}
	if (done == COMPARED) {
		const struct object *last = chain[length - 1];

		identify(object, is_delta(last) ? last->type : last->packed_type, &base);
	}
	return done;
}

static void list_known(struct pack *pack)
{
	pack->known = 0;
	for (size_t i = 0; i < pack->count; i++)
		if (pack->objects[i].type)
			pack->by_id[pack->known++] = &pack->objects[i];
	qsort(pack->by_id, pack->known, sizeof(*pack->by_id), by_id);
}

/* Bases that are told by their ids can be found once these are known. */
static enum compared resolve_all(struct pack *pack, struct error *err)
{
	enum compared done = COMPARED;
	size_t before = SIZE_MAX;

	for (int i = 0; i < ROUNDS_MOST && pack->known < pack->count && before != pack->known;
		i++) {
		before = pack->known;
		for (size_t k = 0; k < pack->count; k++) {
			if (!pack->objects[k].type && done == COMPARED)
				done = resolve(pack, &pack->objects[k], err);
		}
		if (done != COMPARED)
			return done;
		list_known(pack);
	}
	return pack->known == pack->count ? COMPARED : NOT_THIS;
}

static int add_object(struct pack *pack, const struct object *object, struct error *err)
{
	char name[2 * ID + 1];
	struct member *member;

	for (int i = 0; i < ID; i++)
		snprintf(name + 2 * i, 3, "%02x", object->id[i]);
	member = members_add(pack->members, pack->diff, name, err);
	if (!member ||
		member_fact(member, "type", LEVEL_DIFFERENT, NULL, "%s", type_names[object->type]))
		return -1;
	return member_fact(member, "size", LEVEL_DIFFERENT, NULL, "%llu", (number)object->size);
}

static enum compared add_objects(struct pack *pack, struct error *err)
{
	enum compared done = unpack_all(pack, err);

	if (done != COMPARED) {
		blob_write_cancel(&pack->writer);
		return done;
	}
	if (blob_write_finish(&pack->writer, &pack->unpacked, NULL, err))
		return COMPARE_FAILED;
	for (size_t i = 0; i < pack->count; i++) {
		struct object *object = &pack->objects[i];

		object->packed =
			blob_part(&pack->unpacked, object->start, object->packed_size, NULL);
	}
	pack->work_left = WORK_LEAST + WORK_FACTOR * pack->unpacked.size;
	done = resolve_all(pack, err);
	for (size_t i = 0; i < pack->count && done == COMPARED; i++)
		if (add_object(pack, &pack->objects[i], err))
			done = COMPARE_FAILED;
	free((void *)pack->made_bytes.data);
	blob_unpacked_close(&pack->unpacked, &pack->diff->budget);
	return done;
}

static enum compared list_objects(
	struct diff *diff, const struct blob *blob, struct members *members, struct error *err)
{
	struct pack pack = { .diff = diff, .blob = blob, .members = members };
	enum compared done = COMPARE_FAILED;

	pack.count = blob_be(blob, 8, 4);
	/* No object has fewer than nine bytes. */
	if (pack.count > blob->size / 9 || !has_checksum(blob))
		return NOT_THIS;
	blob_write_start(&pack.writer, &diff->budget);
	pack.objects = calloc(pack.count + 1, sizeof(*pack.objects));
	pack.by_id = calloc(pack.count + 1, sizeof(struct object *));
	if (pack.objects && pack.by_id)
		done = add_objects(&pack, err);
	else
		error_set(err, ENOMEM, "cannot list the objects of a pack");
	free(pack.objects);
	free(pack.by_id);
	return done;
}

enum compared git_pack_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	static const struct remainder remainder = {
		"the same objects, packed or made of each other differently", CAUSE_COMPRESSION
	};

	return listed_compare(diff, node, pair, list_objects, &remainder, err);
}
