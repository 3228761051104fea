#include "image/tar_stream.h"

#include <archive.h>
#include <errno.h>

/* The bytes of a stream up to and including the last that is not zero. */
static size_t without_zeros(const char *data, size_t size)
{
	while (size && data[size - 1] == 0)
		size--;
	return size;
}

static ssize_t count(
	struct tar_stream *stream, struct archive *archive, const void *data, size_t size)
{
	size_t filled = without_zeros(data, size);

	if (filled)
		stream->zeros = stream->bytes + filled;
	stream->bytes += size;
	if (stream->bytes > stream->most) {
		archive_set_error(archive, EFBIG, "more bytes than --image-limit allows");
		return ARCHIVE_FATAL;
	}
	if (stream->hash)
		hash_add(stream->hash, data, size);
	return (ssize_t)size;
}

/* libarchive's callback: the next bytes, 0 at the end. */
static ssize_t read_source(struct archive *archive, void *context, const void **data)
{
	struct tar_stream *stream = context;
	size_t size;
	int64_t offset;
	int status = archive_read_data_block(stream->source, data, &size, &offset);

	if (status == ARCHIVE_EOF)
		return 0;
	if (status == ARCHIVE_OK)
		return count(stream, archive, *data, size);
	archive_set_error(
		archive, archive_errno(stream->source), "%s", archive_error_string(stream->source));
	return ARCHIVE_FATAL;
}

int tar_stream_open(struct tar_stream *stream, struct error *err)
{
	struct archive_entry *whole;

	if (archive_read_next_header(stream->source, &whole) != ARCHIVE_OK)
		return error_set(err, 0, "%s is no tar archive: %s", stream->name,
			archive_error_string(stream->source));
	if (archive_filter_count(stream->source) > 2) /* the last stands for none */
		return error_set(err, 0, "%s is compressed more than once", stream->name);
	stream->entries = archive_read_new();
	if (!stream->entries || archive_read_support_format_tar(stream->entries) != ARCHIVE_OK)
		return error_set(err, ENOMEM, "%s", stream->name);
	if (archive_read_open(stream->entries, stream, NULL, read_source, NULL) != ARCHIVE_OK)
		return error_set(err, 0, "cannot read %s: %s", stream->name,
			archive_error_string(stream->entries));
	return 0;
}

int tar_stream_finish(struct tar_stream *stream, struct error *err)
{
	uint64_t end = (uint64_t)archive_filter_bytes(stream->entries, 0);
	const void *data;
	ssize_t size;

	if (end == (uint64_t)archive_read_header_position(stream->entries))
		return error_set(err, 0, "%s is cut off: it has no end mark", stream->name);
	do
		size = read_source(stream->entries, stream, &data);
	while (size > 0);
	if (size < 0)
		return error_set(err, 0, "cannot read %s: %s", stream->name,
			archive_error_string(stream->entries));
	if (stream->zeros > end)
		return error_set(err, 0,
			"%s has something behind the end of its archive: is it damaged?",
			stream->name);
	return 0;
}

void tar_stream_close(struct tar_stream *stream)
{
	archive_read_free(stream->entries);
}
