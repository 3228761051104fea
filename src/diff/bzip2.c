#include "diff/bzip2.h"

#include <bzlib.h>
#include <errno.h>

#include "diff/cause.h"

#define AT_ONCE (1u << 30) /* it counts in 32 bits */
#define CHUNK	65536
#define HEADER	4

/* A block or the end of the stream: digits of pi, or of its square root. */
bool bzip2_is(const struct blob *blob)
{
	return blob_has(blob, 0, "BZh", 3) && blob_le(blob, 3, 1) >= '1' &&
	       blob_le(blob, 3, 1) <= '9' &&
	       (blob_has(blob, HEADER, "1AY&SY", 6) || blob_has(blob, HEADER, "\x17\x72\x45", 3));
}

static void give_more(bz_stream *stream, const struct blob *from, uint64_t *given)
{
	uint64_t more = from->size - *given;

	if (stream->avail_in || !more)
		return;
	if (more > AT_ONCE)
		more = AT_ONCE;
	stream->next_in = (char *)from->data + *given;
	stream->avail_in = (unsigned)more;
	*given += more;
}

static enum unpacked run(bz_stream *stream, const struct blob *from, struct blob_writer *to,
	uint64_t *used, struct error *err)
{
	char chunk[CHUNK];
	uint64_t given = 0;
	int state = BZ_OK;

	while (state == BZ_OK) {
		give_more(stream, from, &given);
		stream->next_out = chunk;
		stream->avail_out = sizeof(chunk);
		state = BZ2_bzDecompress(stream);
		if (state != BZ_OK && state != BZ_STREAM_END)
			break;
		if (blob_write(to, chunk, sizeof(chunk) - stream->avail_out, err))
			return UNPACK_FAILED;
		/* Cut off: it would wait for more for ever. */
		if (state == BZ_OK && !stream->avail_in && stream->avail_out && given == from->size)
			break;
	}
	if (state == BZ_MEM_ERROR) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	*used = given - stream->avail_in;
	return state == BZ_STREAM_END ? UNPACKED : UNPACK_DAMAGED;
}

enum unpacked bzip2_unpack(
	const struct blob *from, struct blob_writer *to, uint64_t *used, struct error *err)
{
	bz_stream stream = { 0 };
	enum unpacked unpacked;

	if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	unpacked = run(&stream, from, to, used, err);
	BZ2_bzDecompressEnd(&stream);
	return unpacked;
}

static uint64_t header_size(const struct blob *blob)
{
	(void)blob;
	return HEADER;
}

static int say_header(struct node *node, const struct pair *pair, const char *where)
{
	int a = (int)blob_le(&pair->a, 3, 1), b = (int)blob_le(&pair->b, 3, 1);

	if (a == b)
		return 0;
	return node_say(
		node, LEVEL_CONTENT, CAUSE_COMPRESSION, "%sblock size: %c, %c", where, a, b);
}

static const struct packing packing = { "stream", bzip2_is, bzip2_unpack, header_size, say_header };

enum compared bzip2_compare(
	struct diff *diff, struct node *node, const struct pair *pair, struct error *err)
{
	return packed_compare(diff, node, pair, &packing, err);
}
