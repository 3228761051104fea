#include "diff/inflate.h"

#include <errno.h>
#include <zlib.h>

#define AT_ONCE (1u << 30) /* zlib counts in 32 bits */
#define CHUNK	65536

static void give_more(z_stream *stream, const struct blob *from, uint64_t *given)
{
	uint64_t more = from->size - *given;

	if (stream->avail_in || !more)
		return;
	if (more > AT_ONCE)
		more = AT_ONCE;
	stream->next_in = (unsigned char *)from->data + *given;
	stream->avail_in = (unsigned)more;
	*given += more;
}

static enum unpacked inflate_all(z_stream *stream, const struct blob *from, struct blob_writer *to,
	uint64_t *used, struct error *err)
{
	unsigned char chunk[CHUNK];
	uint64_t given = 0;
	int state = Z_OK;

	while (state == Z_OK) {
		give_more(stream, from, &given);
		stream->next_out = chunk;
		stream->avail_out = sizeof(chunk);
		state = inflate(stream, Z_NO_FLUSH);
		if (state != Z_OK && state != Z_STREAM_END)
			break;
		if (blob_write(to, chunk, sizeof(chunk) - stream->avail_out, err))
			return UNPACK_FAILED;
	}
	if (state == Z_MEM_ERROR) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	*used = given - stream->avail_in;
	return state == Z_STREAM_END ? UNPACKED : UNPACK_DAMAGED;
}

enum unpacked inflate_part(const struct blob *from, enum inflate_kind kind, struct blob_writer *to,
	uint64_t *used, struct error *err)
{
	z_stream stream = { 0 };
	enum unpacked unpacked;

	if (inflateInit2(&stream, kind) != Z_OK) {
		error_set(err, ENOMEM, "cannot unpack %s", from->name);
		return UNPACK_FAILED;
	}
	unpacked = inflate_all(&stream, from, to, used, err);
	inflateEnd(&stream);
	return unpacked;
}
