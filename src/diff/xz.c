#include "diff/xz.h"

#include <errno.h>
#include <lzma.h>

#include "diff/cause.h"

#define CHUNK	    65536
#define DICTIONARY  (1ull << 30) /* more memory is not spent on one; xz -9 needs 65 MiB */
#define XZ_HEADER   LZMA_STREAM_HEADER_SIZE
#define LZMA_HEADER 13 /* properties, size of the dictionary, size of the payload */
#define LZIP_HEADER 6

static enum unpacked run(lzma_stream *stream, const struct blob *from, struct blob_writer *to,
	uint64_t *used, struct error *err)
{
	unsigned char chunk[CHUNK];
	lzma_ret state = LZMA_OK;

	stream->next_in = from->data;
	stream->avail_in = from->size;
	while (state == LZMA_OK) {
		stream->next_out = chunk;
		stream->avail_out = sizeof(chunk);
		state = lzma_code(stream, LZMA_FINISH);
		if (state != LZMA_OK && state != LZMA_STREAM_END)
			break;
		if (blob_write(to, chunk, sizeof(chunk) - stream->avail_out, err))
			return UNPACK_FAILED;
	}
	if (state == LZMA_MEM_ERROR) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	*used = from->size - stream->avail_in;
	return state == LZMA_STREAM_END ? UNPACKED : UNPACK_DAMAGED;
}

static enum unpacked unpack(lzma_stream *stream, lzma_ret started, const struct blob *from,
	struct blob_writer *to, uint64_t *used, struct error *err)
{
	enum unpacked unpacked = UNPACK_FAILED;

	if (started == LZMA_OK)
		unpacked = run(stream, from, to, used, err);
	else
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
	lzma_end(stream);
	return unpacked;
}

bool xz_is(const struct blob *blob)
{
	static const unsigned char magic[6] = { 0xfd, '7', 'z', 'X', 'Z', 0 };

	return blob_has(blob, 0, magic, sizeof(magic));
}

/* Streams may be followed by zeros, four at a time; they belong to the file if a stream follows. */
static uint64_t padding(const struct blob *from, uint64_t at)
{
	uint64_t zeros = 0;
	struct blob next;

	while (at + zeros < from->size && from->data[at + zeros] == 0)
		zeros++;
	next = blob_part(from, at + zeros, UINT64_MAX, NULL);
	return zeros % 4 == 0 && xz_is(&next) ? zeros : 0;
}

enum unpacked xz_unpack(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret started = lzma_stream_decoder(&stream, DICTIONARY, 0);
	enum unpacked unpacked = unpack(&stream, started, from, to, used, err);

	if (unpacked == UNPACKED)
		*used += padding(from, *used);
	return unpacked;
}

static uint64_t xz_header_size(const struct blob *blob)
{
	(void)blob;
	return XZ_HEADER;
}

static int xz_say_header(struct node *node, const struct pair *pair, const char *where)
{
	static const char *const checks[16] = { [LZMA_CHECK_NONE] = "none",
		[LZMA_CHECK_CRC32] = "CRC32",
		[LZMA_CHECK_CRC64] = "CRC64",
		[LZMA_CHECK_SHA256] = "SHA-256" };
	const char *a = checks[blob_le(&pair->a, 7, 1) & 15],
		   *b = checks[blob_le(&pair->b, 7, 1) & 15];

	if (a == b)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%schecksum: %s, %s", where,
		a ? a : "unknown", b ? b : "unknown");
}

static const struct packing xz_packing = { "stream", xz_is, xz_unpack, xz_header_size,
	xz_say_header };

enum compared xz_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	return packed_compare(diff, node, pair, &xz_packing, err);
}

bool lzip_is(const struct blob *blob)
{
	return blob_has(blob, 0, "LZIP\1", 5);
}

static enum unpacked lzip_unpack(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret started = lzma_lzip_decoder(&stream, DICTIONARY, 0);

	return unpack(&stream, started, from, to, used, err);
}

static uint64_t lzip_header_size(const struct blob *blob)
{
	(void)blob;
	return LZIP_HEADER;
}

static int lzip_say_header(struct node *node, const struct pair *pair, const char *where)
{
	unsigned a = (unsigned)blob_le(&pair->a, 5, 1), b = (unsigned)blob_le(&pair->b, 5, 1);

	if (a == b)
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
		"%sdictionary, as the header has it: %u, %u", where, a, b);
}

static const struct packing lzip_packing = { "member", lzip_is, lzip_unpack, lzip_header_size,
	lzip_say_header };

enum compared lzip_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	return packed_compare(diff, node, pair, &lzip_packing, err);
}

/* The usual properties, and a size of the payload that is unknown or below 256 GiB. */
bool lzma_is(const struct blob *blob)
{
	uint64_t size = blob_le(blob, 5, 8);

	return blob_has(blob, 0, "\x5d\0\0", 3) && blob->size > LZMA_HEADER &&
	       (size == UINT64_MAX || size < 1ull << 38);
}

static enum unpacked lzma_unpack(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret started = lzma_alone_decoder(&stream, DICTIONARY);

	return unpack(&stream, started, from, to, used, err);
}

static uint64_t lzma_header_size(const struct blob *blob)
{
	(void)blob;
	return LZMA_HEADER;
}

static int lzma_say_header(struct node *node, const struct pair *pair, const char *where)
{
	uint64_t a = blob_le(&pair->a, 1, 4), b = blob_le(&pair->b, 1, 4);

	if (a != b &&
		node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%sdictionary: %llu, %llu bytes",
			where, (unsigned long long)a, (unsigned long long)b))
		return -1;
	if ((blob_le(&pair->a, 5, 8) == UINT64_MAX) == (blob_le(&pair->b, 5, 8) == UINT64_MAX))
		return 0;
	return node_say(node, LEVEL_CONTENT, CAUSE_COMPRESSION,
		"%sthe header of one has no size of the payload", where);
}

static const struct packing lzma_packing = { "stream", lzma_is, lzma_unpack, lzma_header_size,
	lzma_say_header };

enum compared lzma_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	return packed_compare(diff, node, pair, &lzma_packing, err);
}
