#include "diff/inflated.h"

#include <errno.h>
#include <zlib.h>

#define PIECE (64u << 10)

static enum compared feed(z_stream *stream, const struct blob *packed, inflated_taker *take,
	void *context, struct error *err)
{
	unsigned char piece[PIECE];
	uint64_t given = 0;
	int status = Z_OK;

	while (status != Z_STREAM_END) {
		enum compared taken;

		if (!stream->avail_in) {
			uint64_t left = packed->size - given;

			stream->avail_in = left < (1u << 30) ? (uInt)left : 1u << 30;
			stream->next_in = (Bytef *)packed->data + given;
			given += stream->avail_in;
		}
		stream->next_out = piece;
		stream->avail_out = PIECE;
		status = inflate(stream, Z_NO_FLUSH);
		/* Z_BUF_ERROR, too: there is always room, so the input has ended too early. */
		if (status != Z_OK && status != Z_STREAM_END)
			return NOT_THIS;
		taken = take(context, piece, PIECE - stream->avail_out, err);
		if (taken != COMPARED)
			return taken;
	}
	return COMPARED;
}

enum compared inflated_each(const struct blob *packed, inflated_taker *take, void *context,
	uint64_t *used, struct error *err)
{
	z_stream stream = { 0 };
	enum compared done;

	if (inflateInit(&stream) != Z_OK) {
		error_set(err, ENOMEM, "cannot unpack");
		return COMPARE_FAILED;
	}
	done = feed(&stream, packed, take, context, err);
	if (used)
		*used = stream.total_in;
	inflateEnd(&stream);
	return done;
}

enum compared inflated_write(
	void *context, const unsigned char *data, size_t bytes, struct error *err)
{
	return blob_write(context, data, bytes, err) ? COMPARE_FAILED : COMPARED;
}
