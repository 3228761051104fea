#include "diff/lz4.h"

#include <errno.h>
#include <lz4.h>
#include <lz4frame.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "diff/cause.h"
#include "diff/packed.h"
#include "diff/skippable.h"

#define CHUNK	     65536
#define LEGACY_BLOCK (8 << 20) /* each but the last has so much, unpacked */

static bool frame_is(const struct blob *blob)
{
	return blob_le(blob, 0, 4) == 0x184d2204;
}

static bool legacy_is(const struct blob *blob)
{
	return blob_le(blob, 0, 4) == 0x184c2102;
}

static bool part_is(const struct blob *blob)
{
	return frame_is(blob) || legacy_is(blob) || skippable_is(blob);
}

bool lz4_is(const struct blob *blob)
{
	struct blob first = skippable_skip(blob);

	return frame_is(&first) || legacy_is(&first);
}

/* Blocks, each behind its size, up to the end or to what can be no size. */
static enum unpacked unpack_legacy(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	cleanup_free char *block = malloc(LEGACY_BLOCK);
	uint64_t at = 4;

	if (!block) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	while (at + 4 <= from->size) {
		uint64_t size = blob_le(from, at, 4);
		int bytes;

		if (size > (uint64_t)LZ4_compressBound(LEGACY_BLOCK) || size > from->size - at - 4)
			break;
		bytes = LZ4_decompress_safe(
			(const char *)from->data + at + 4, block, (int)size, LEGACY_BLOCK);
		if (bytes < 0)
			return UNPACK_DAMAGED;
		if (blob_write(to, block, (size_t)bytes, err))
			return UNPACK_FAILED;
		at += 4 + size;
	}
	*used = at;
	return at > 4 ? UNPACKED : UNPACK_DAMAGED;
}

static enum unpacked run(LZ4F_dctx *context, const struct blob *from, struct blob_writer *to,
	uint64_t *used, struct error *err)
{
	unsigned char chunk[CHUNK];
	uint64_t at = 0;
	size_t wanted;

	do {
		size_t out = sizeof(chunk), in = from->size - at;

		wanted = LZ4F_decompress(context, chunk, &out, from->data + at, &in, NULL);
		if (LZ4F_isError(wanted))
			return UNPACK_DAMAGED;
		if (blob_write(to, chunk, out, err))
			return UNPACK_FAILED;
		if (wanted && !out && !in)
			return UNPACK_DAMAGED; /* cut off */
		at += in;
	} while (wanted);
	*used = at;
	return UNPACKED;
}

static enum unpacked unpack(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	LZ4F_dctx *context;
	enum unpacked unpacked;

	if (skippable_is(from)) {
		*used = skippable_size(from);
		return UNPACKED;
	}
	if (legacy_is(from))
		return unpack_legacy(from, to, used, err);
	if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION))) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	unpacked = run(context, from, to, used, err);
	LZ4F_freeDecompressionContext(context);
	return unpacked;
}

#define HAS_SIZE       8
#define HAS_DICTIONARY 1

static uint64_t header_size(const struct blob *blob)
{
	unsigned flags = (unsigned)blob_le(blob, 4, 1);

	if (skippable_is(blob))
		return blob->size;
	if (legacy_is(blob))
		return 4;
	return 7 + (flags & HAS_SIZE ? 8 : 0) + (flags & HAS_DICTIONARY ? 4 : 0);
}

static const char *kind(const struct blob *blob)
{
	return skippable_is(blob) ? "that readers skip" : legacy_is(blob) ? "legacy" : "usual";
}

static const struct flag {
	unsigned mask;
	const char *what;
} flags[] = {
	{ 0x20, "independent blocks" },
	{ 0x10, "checksums of blocks" },
	{ HAS_SIZE, "size in the header" },
	{ 0x04, "checksum" },
};

static int say_flags(struct node *node, const struct pair *pair, const char *where)
{
	unsigned a = (unsigned)blob_le(&pair->a, 4, 1), b = (unsigned)blob_le(&pair->b, 4, 1);

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if ((a ^ b) & flags[i].mask &&
			node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%s%s: %s, %s", where,
				flags[i].what, a & flags[i].mask ? "yes" : "no",
				b & flags[i].mask ? "yes" : "no"))
			return -1;
	return 0;
}

static int say_header(struct node *node, const struct pair *pair, const char *where)
{
	const char *a = kind(&pair->a), *b = kind(&pair->b);
	unsigned one = (unsigned)blob_le(&pair->a, 5, 1) >> 4 & 7,
		 other = (unsigned)blob_le(&pair->b, 5, 1) >> 4 & 7;

	if (a != b)
		return node_say(
			node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%skind: %s, %s", where, a, b);
	if (skippable_is(&pair->a) && !blob_equal(&pair->a, &pair->b))
		return node_say(node, LEVEL_CONTENT, NULL,
			"%sit is one that readers skip, and differs", where);
	if (!frame_is(&pair->a))
		return 0;
	if (say_flags(node, pair, where))
		return -1;
	if (one == other)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
		"%sblock size, as the header has it: %u, %u", where, one, other);
}

static const struct packing packing = { "frame", part_is, unpack, header_size, say_header };

enum compared lz4_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	return packed_compare(diff, node, pair, &packing, err);
}
