#include "diff/packed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/cpio.h"
#include "diff/rest.h"
#include "diff/tar.h"

/* One side. */
struct side {
	const struct blob *blob;
	struct blob payload;
	char *name;	  /* of the payload */
	uint64_t *starts; /* of the parts, and the end of the last */
	size_t count, room;
};

static const struct {
	const char *suffix, *instead;
} suffixes[] = {
	{ ".tgz", ".tar" },
	{ ".txz", ".tar" },
	{ ".tbz", ".tar" },
	{ ".tbz2", ".tar" },
	{ ".tzst", ".tar" },
	{ ".tlz", ".tar" },
	{ ".svgz", ".svg" },
	{ ".gz", "" },
	{ ".xz", "" },
	{ ".lzma", "" },
	{ ".lz", "" },
	{ ".bz2", "" },
	{ ".zst", "" },
	{ ".lz4", "" },
};

static char *payload_name(const char *name)
{
	size_t length = strlen(name);
	char *made;

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
		size_t ends = strlen(suffixes[i].suffix);

		if (length <= ends || strcasecmp(name + length - ends, suffixes[i].suffix) != 0)
			continue;
		if (asprintf(&made, "%.*s%s", (int)(length - ends), name, suffixes[i].instead) < 0)
			return NULL;
		return made;
	}
	return strdup("unpacked");
}

static int note_start(struct side *side, uint64_t at, struct error *err)
{
	if (side->count == side->room) {
		size_t room = side->room ? 2 * side->room : 16;
		uint64_t *starts = reallocarray(side->starts, room, sizeof(*starts));

		if (!starts)
			return error_set(err, ENOMEM, "cannot unpack %s", side->blob->name);
		side->starts = starts;
		side->room = room;
	}
	side->starts[side->count++] = at;
	return 0;
}

static enum unpacked unpack_parts(struct side *side, const struct packing *packing,
	struct blob_writer *writer, struct error *err)
{
	struct blob rest = *side->blob;
	enum unpacked unpacked = UNPACKED;
	uint64_t at = 0;

	while (unpacked == UNPACKED && packing->is(&rest)) {
		uint64_t used = 0;

		if (note_start(side, at, err))
			return UNPACK_FAILED;
		unpacked = packing->unpack(&rest, writer, &used, err);
		if (unpacked == UNPACKED && !used)
			return UNPACK_DAMAGED;
		at += used;
		rest = blob_part(side->blob, at, UINT64_MAX, side->blob->name);
	}
	if (unpacked == UNPACKED && note_start(side, at, err))
		return UNPACK_FAILED;
	return unpacked;
}

static enum unpacked unpack_side(
	struct diff *diff, struct side *side, const struct packing *packing, struct error *err)
{
	struct blob_writer writer;
	enum unpacked unpacked;

	side->name = payload_name(side->blob->name ? side->blob->name : "");
	if (!side->name)
		return UNPACK_FAILED;
	blob_write_start(&writer, &diff->budget);
	unpacked = unpack_parts(side, packing, &writer, err);
	if (unpacked != UNPACKED)
		blob_write_cancel(&writer);
	else if (blob_write_finish(&writer, &side->payload, side->name, err))
		unpacked = UNPACK_FAILED;
	return unpacked;
}

static struct blob part_of(const struct side *side, size_t i)
{
	uint64_t at = side->starts[i];

	return blob_part(side->blob, at, side->starts[i + 1] - at, side->blob->name);
}

/* What the headers say, of the first parts that do not say the same: the others are likely to
 * differ in the same way. */
static int say_headers(struct node *node, const struct side *a, const struct side *b,
	const struct packing *packing)
{
	size_t parts = a->count < b->count ? a->count : b->count;
	size_t before = node->finding_count;

	for (size_t i = 0; i + 1 < parts && node->finding_count == before; i++) {
		const struct pair pair = { part_of(a, i), part_of(b, i) };
		char where[64] = "";

		if (i)
			snprintf(where, sizeof(where), "%s %zu: ", packing->part, i + 1);
		if (packing->say_header(node, &pair, where))
			return -1;
	}
	if (a->count == b->count)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%ss: %zu, %zu", packing->part,
		a->count - 1, b->count - 1);
}

static bool same_compressed(
	const struct side *a, const struct side *b, const struct packing *packing)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i + 1 < a->count; i++) {
		struct blob one = part_of(a, i), other = part_of(b, i);

		one = blob_part(&one, packing->header_size(&one), UINT64_MAX, NULL);
		other = blob_part(&other, packing->header_size(&other), UINT64_MAX, NULL);
		if (!blob_equal(&one, &other))
			return false;
	}
	return true;
}

/* Archives that are packed as a whole are one object: members of data.tar.xz, not of data.tar. */
static int compare_payloads(struct diff *diff, struct node *node, const char *name,
	const struct pair *pair, struct error *err)
{
	static const struct {
		bool (*is)(const struct blob *blob);
		compare_function *compare;
	} archives[] = { { tar_is, tar_compare }, { cpio_is, cpio_compare } };

	for (size_t i = 0; i < sizeof(archives) / sizeof(archives[0]); i++) {
		enum compared compared = NOT_THIS;

		if (blob_equal(&pair->a, &pair->b))
			break;
		if (archives[i].is(&pair->a) && archives[i].is(&pair->b))
			compared = archives[i].compare(diff, node, pair, err);
		if (compared != NOT_THIS)
			return compared == COMPARED ? 0 : -1;
	}
	return compare_part(diff, node, name, pair, err);
}

static int say_all(struct diff *diff, struct node *node, const struct side sides[2],
	const struct packing *packing, struct error *err)
{
	const struct side *a = &sides[0], *b = &sides[1];
	const struct pair payloads = { a->payload, b->payload }, files = { *a->blob, *b->blob };
	const struct pair rests = { blob_part(a->blob, a->starts[a->count - 1], UINT64_MAX, NULL),
		blob_part(b->blob, b->starts[b->count - 1], UINT64_MAX, NULL) };

	if (say_headers(node, a, b, packing))
		return -1;
	if (blob_equal(&payloads.a, &payloads.b) && !same_compressed(a, b, packing) &&
		node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
			"the same payload is compressed in another way"))
		return -1;
	if (rest_compare(diff, node, &rests, true, err))
		return -1;
	if (compare_payloads(diff, node, a->name, &payloads, err))
		return -1;
	return rest_say_unknown(node, &files, LEVEL_CONTENT)
		       ? error_set(err, ENOMEM, "cannot compare %s", a->name)
		       : 0;
}

enum compared packed_compare(struct diff *diff, struct node *node, const struct pair *pair,
	const struct packing *packing, struct error *err)
{
	struct side sides[2] = { { .blob = &pair->a }, { .blob = &pair->b } };
	enum unpacked unpacked = unpack_side(diff, &sides[0], packing, err);
	enum compared compared = COMPARE_FAILED;

	if (unpacked == UNPACKED)
		unpacked = unpack_side(diff, &sides[1], packing, err);
	if (unpacked == UNPACK_DAMAGED)
		compared = NOT_THIS;
	else if (unpacked == UNPACKED && say_all(diff, node, sides, packing, err) == 0)
		compared = COMPARED;
	for (int i = 0; i < 2; i++) {
		blob_unpacked_close(&sides[i].payload, &diff->budget);
		free(sides[i].starts);
		free(sides[i].name);
	}
	return compared;
}
