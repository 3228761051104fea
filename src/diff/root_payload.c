#include "diff/root_payload.h"

#include <errno.h>
#include <lz4.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/cleanup.h"

#define BLOCK_HEAD  9		   /* tag, method, sizes of three bytes packed and unpacked */
#define XZ_MEMORY   (256ull << 20) /* more than the highest level of xz needs */
#define LZ4_SUM	    8		   /* XXH64 of what follows */
#define DEFLATE_RAW (-15)

/* One block; false when it does not give exactly the bytes that it should. */
typedef bool unpack_function(const struct blob *packed, unsigned char *out, size_t bytes);

static bool unpack_zlib(const struct blob *packed, unsigned char *out, size_t bytes)
{
	uLongf size = bytes;

	return uncompress(out, &size, packed->data, packed->size) == Z_OK && size == bytes;
}

static bool unpack_old(const struct blob *packed, unsigned char *out, size_t bytes)
{
	z_stream stream = { .next_in = (z_const Bytef *)packed->data,
		.avail_in = (uInt)packed->size,
		.next_out = out,
		.avail_out = (uInt)bytes };
	bool whole;

	if (inflateInit2(&stream, DEFLATE_RAW) != Z_OK)
		return false;
	whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.total_out == bytes;
	inflateEnd(&stream);
	return whole;
}

static bool unpack_xz(const struct blob *packed, unsigned char *out, size_t bytes)
{
	uint64_t memory = XZ_MEMORY;
	size_t in = 0, size = 0;

	return lzma_stream_buffer_decode(&memory, 0, NULL, packed->data, &in, packed->size, out,
		       &size, bytes) == LZMA_OK &&
	       size == bytes;
}

static bool unpack_lz4(const struct blob *packed, unsigned char *out, size_t bytes)
{
	const unsigned char *data;
	size_t size;

	if (!packed->data || packed->size <= LZ4_SUM)
		return false;
	data = packed->data + LZ4_SUM;
	size = packed->size - LZ4_SUM;
	return XXH64(data, size, 0) == blob_be(packed, 0, LZ4_SUM) &&
	       LZ4_decompress_safe((const char *)data, (char *)out, (int)size, (int)bytes) ==
		       (int)bytes;
}

static bool unpack_zstd(const struct blob *packed, unsigned char *out, size_t bytes)
{
	return ZSTD_decompress(out, bytes, packed->data, packed->size) == bytes;
}

static const struct {
	char tag[3];
	unpack_function *unpack;
} methods[] = {
	{ "ZL", unpack_zlib },
	{ "XZ", unpack_xz },
	{ "L4", unpack_lz4 },
	{ "ZS", unpack_zstd },
	{ "CS", unpack_old },
};

static unpack_function *find_method(const struct blob *packed, uint64_t at)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (blob_has(packed, at, methods[i].tag, 2))
			return methods[i].unpack;
	return NULL;
}

/* Unpacks the block at *at, of at most `most` bytes, and goes behind it. */
static enum root_unpacked unpack_block(const struct blob *packed, uint64_t *at, uint64_t most,
	struct blob_writer *writer, struct error *err)
{
	unpack_function *unpack = find_method(packed, *at);
	uint64_t in = blob_le(packed, *at + 3, 3), bytes = blob_le(packed, *at + 6, 3);
	cleanup_free unsigned char *out = NULL;
	struct blob block;

	if (!unpack || packed->size - *at < BLOCK_HEAD || !bytes || bytes > most ||
		in > packed->size - *at - BLOCK_HEAD)
		return PAYLOAD_DAMAGED;
	out = malloc(bytes);
	if (!out)
		return error_set(err, ENOMEM, "cannot unpack a record"), PAYLOAD_FAILED;
	block = blob_part(packed, *at + BLOCK_HEAD, in, NULL);
	if (!unpack(&block, out, bytes))
		return PAYLOAD_DAMAGED;
	*at += BLOCK_HEAD + in;
	return blob_write(writer, out, bytes, err) ? PAYLOAD_FAILED : PAYLOAD_READ;
}

enum root_unpacked root_payload_open(struct root_payload *payload, const struct blob *packed,
	uint32_t bytes, struct budget *budget, struct error *err)
{
	enum root_unpacked result = PAYLOAD_READ;
	struct blob_writer writer;
	uint64_t at = 0;

	*payload = (struct root_payload){ .blob = blob_part(packed, 0, bytes, NULL) };
	if (bytes <= packed->size)
		return PAYLOAD_READ;
	blob_write_start(&writer, budget);
	while (result == PAYLOAD_READ && writer.size < bytes)
		result = unpack_block(packed, &at, bytes - writer.size, &writer, err);
	if (result != PAYLOAD_READ) {
		blob_write_cancel(&writer);
		return result;
	}
	payload->unpacked = true;
	return blob_write_finish(&writer, &payload->blob, NULL, err) ? PAYLOAD_FAILED
								     : PAYLOAD_READ;
}

void root_payload_close(struct root_payload *payload, struct budget *budget)
{
	if (payload->unpacked)
		blob_unpacked_close(&payload->blob, budget);
}
