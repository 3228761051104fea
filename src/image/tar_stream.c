#include "image/tar_stream.h"

#include <archive.h>
#include <errno.h>

#include "image/gunzip.h"

#define TWICE "it is compressed more than once"

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
	return (ssize_t)size;
}

static ssize_t fail(struct archive *archive, int cause, const char *why)
{
	archive_set_error(archive, cause, "%s", why);
	return ARCHIVE_FATAL;
}

/* The next bytes of the source, 0 at the end. */
static ssize_t read_source(struct tar_stream *stream, struct archive *archive, const void **data)
{
	size_t size;
	int64_t offset;
	int status = archive_read_data_block(stream->source, data, &size, &offset);

	if (status == ARCHIVE_OK)
		return (ssize_t)size;
	if (status == ARCHIVE_EOF)
		return 0;
	return fail(archive, archive_errno(stream->source), archive_error_string(stream->source));
}

static ssize_t read_gzip(struct tar_stream *stream, struct archive *archive, const void **data)
{
	const char *why;
	const void *input;
	ssize_t size;

	while ((size = gunzip_read(stream->gunzip, data, &why)) == 0) {
		ssize_t more = read_source(stream, archive, &input);

		if (more == 0 && !gunzip_is_complete(stream->gunzip))
			return fail(archive, 0, "its gzip data is cut off");
		if (more <= 0)
			return more;
		gunzip_give(stream->gunzip, input, (size_t)more);
	}
	return size < 0 ? fail(archive, 0, why) : size;
}

/* Whether it is gzip shows at the beginning. */
static ssize_t read_first(struct tar_stream *stream, struct archive *archive, const void **data)
{
	ssize_t size = read_source(stream, archive, data);

	if (size <= 0 || !gunzip_is(*data, (size_t)size))
		return size;
	if (archive_filter_count(stream->source) > 1)
		return fail(archive, 0, TWICE);
	stream->gunzip = gunzip_new();
	if (!stream->gunzip)
		return fail(archive, ENOMEM, "no memory");
	gunzip_give(stream->gunzip, *data, (size_t)size);
	return read_gzip(stream, archive, data);
}

/* libarchive's callback. */
static ssize_t read_bytes(struct archive *archive, void *context, const void **data)
{
	struct tar_stream *stream = context;
	ssize_t size = stream->gunzip  ? read_gzip(stream, archive, data)
		       : stream->bytes ? read_source(stream, archive, data)
				       : read_first(stream, archive, data);

	return size > 0 ? count(stream, archive, *data, (size_t)size) : size;
}

int tar_stream_open(struct tar_stream *stream, struct error *err)
{
	struct archive_entry *whole;
	int status = archive_read_next_header(stream->source, &whole);

	if (status == ARCHIVE_EOF)
		return error_set(err, 0, "%s is no tar archive: it is empty", stream->name);
	if (status != ARCHIVE_OK)
		return error_set(err, 0, "cannot read %s: %s", stream->name,
			archive_error_string(stream->source));
	if (archive_filter_count(stream->source) > 2) /* the last stands for none */
		return error_set(err, 0, "cannot read %s: " TWICE, stream->name);
	stream->entries = archive_read_new();
	if (!stream->entries || archive_read_support_format_tar(stream->entries) != ARCHIVE_OK)
		return error_set(err, ENOMEM, "%s", stream->name);
	if (archive_read_open(stream->entries, stream, NULL, read_bytes, NULL) != ARCHIVE_OK)
		return error_set(err, 0, "cannot read %s as a tar archive: %s", stream->name,
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
		size = read_bytes(stream->entries, stream, &data);
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
	gunzip_free(stream->gunzip);
}
