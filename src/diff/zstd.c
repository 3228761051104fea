#include "diff/zstd.h"

#include <errno.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "diff/cause.h"
#include "diff/skippable.h"

#define CHUNK	   65536
#define WINDOW_LOG 30 /* as --long=30 makes it: a gigabyte */

static bool frame_is(const struct blob *blob)
{
	return blob_has(blob, 0, "\x28\xb5\x2f\xfd", 4);
}

static bool part_is(const struct blob *blob)
{
	return frame_is(blob) || skippable_is(blob);
}

bool zstd_is(const struct blob *blob)
{
	struct blob first = skippable_skip(blob);

	return frame_is(&first);
}

static enum unpacked run(ZSTD_DCtx *context, const struct blob *from, struct blob_writer *to,
	uint64_t *used, struct error *err)
{
	ZSTD_inBuffer in = { from->data, from->size, 0 };
	unsigned char chunk[CHUNK];
	size_t wanted;

	do {
		ZSTD_outBuffer out = { chunk, sizeof(chunk), 0 };
		size_t before = in.pos;

		wanted = ZSTD_decompressStream(context, &out, &in);
		if (ZSTD_isError(wanted))
			return UNPACK_DAMAGED;
		if (blob_write(to, chunk, out.pos, err))
			return UNPACK_FAILED;
		if (wanted && !out.pos && in.pos == before)
			return UNPACK_DAMAGED; /* cut off */
	} while (wanted);
	*used = in.pos;
	return UNPACKED;
}

enum unpacked zstd_unpack(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	ZSTD_DCtx *context;
	enum unpacked unpacked;

	if (skippable_is(from)) {
		*used = skippable_size(from);
		return UNPACKED;
	}
	context = ZSTD_createDCtx();
	if (!context) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, WINDOW_LOG);
	unpacked = run(context, from, to, used, err);
	ZSTD_freeDCtx(context);
	return unpacked;
}

/* RFC 8878, 3.1.1.1. */
struct header {
	bool checksum, single;
	unsigned window, size_bytes, dictionary_bytes;
};

static struct header read_header(const struct blob *blob)
{
	unsigned descriptor = (unsigned)blob_le(blob, 4, 1), size = descriptor >> 6;
	static const unsigned dictionary_bytes[] = { 0, 1, 2, 4 };
	struct header header = { .checksum = descriptor & 4, .single = descriptor & 32 };

	header.dictionary_bytes = dictionary_bytes[descriptor & 3];
	header.size_bytes = size ? 1u << size : header.single;
	header.window = header.single ? 0 : (unsigned)blob_le(blob, 5, 1);
	return header;
}

static uint64_t header_size(const struct blob *blob)
{
	struct header header = read_header(blob);

	if (skippable_is(blob))
		return blob->size;
	return 5 + !header.single + header.dictionary_bytes + header.size_bytes;
}

static int say_skippable(struct node *node, const struct pair *pair, const char *where)
{
	bool a = skippable_is(&pair->a), b = skippable_is(&pair->b);

	if (a != b)
		return node_say(node, LEVEL_CONTENT, NULL,
			"%sonly in %s it is one that readers skip", where, a ? "A" : "B");
	if (blob_equal(&pair->a, &pair->b))
		return 0;
	return node_say(
		node, LEVEL_CONTENT, NULL, "%sit is one that readers skip, and differs", where);
}

static int say_flag(struct node *node, const char *where, const char *what, bool a, bool b)
{
	if (a == b)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%s%s: %s, %s", where, what,
		a ? "yes" : "no", b ? "yes" : "no");
}

static int say_header(struct node *node, const struct pair *pair, const char *where)
{
	struct header a = read_header(&pair->a), b = read_header(&pair->b);

	if (skippable_is(&pair->a) || skippable_is(&pair->b))
		return say_skippable(node, pair, where);
	if (say_flag(node, where, "checksum", a.checksum, b.checksum) ||
		say_flag(node, where, "size in the header", a.size_bytes, b.size_bytes))
		return -1;
	if (a.window == b.window)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
		"%swindow, as the header has it: %u, %u", where, a.window, b.window);
}

static const struct packing packing = { "frame", part_is, zstd_unpack, header_size, say_header };

enum compared zstd_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	return packed_compare(diff, node, pair, &packing, err);
}
