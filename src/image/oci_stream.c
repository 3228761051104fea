#include "image/oci_stream.h"

#include <archive.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/stop.h"
#include "image/parts.h"

struct oci_stream {
	struct parts *parts;
	struct archive *archive; /* uncompresses */
	_Atomic uint64_t position;

	/* The thread's, and the caller's when it has ended: */
	int blob;
	uint64_t left; /* bytes of the blob still to be read */
	struct oci_check raw, plain;
	struct error error;
	bool failed;
	unsigned char compressed[PART_SIZE];
};

static ssize_t read_blob(struct oci_stream *stream)
{
	size_t wanted = stream->left < PART_SIZE ? (size_t)stream->left : PART_SIZE;
	ssize_t got;

	do
		got = read(stream->blob, stream->compressed, wanted);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return got;
	oci_check_add(&stream->raw, stream->compressed, (size_t)got);
	/* A file that became shorter has come to its end; its digest will tell. */
	stream->left = got ? stream->left - (size_t)got : 0;
	stream->position = stream->raw.bytes;
	return got;
}

static la_ssize_t give_blob(struct archive *archive, void *client, const void **data)
{
	struct oci_stream *stream = client;
	ssize_t got = read_blob(stream);

	*data = stream->compressed;
	if (got < 0)
		archive_set_error(archive, errno, "cannot read it");
	return got < 0 ? ARCHIVE_FATAL : got;
}

static int fail(struct oci_stream *stream)
{
	return error_set(&stream->error, 0, "%s", archive_error_string(stream->archive));
}

static int uncompress(struct oci_stream *stream, struct parts *parts)
{
	struct archive_entry *entry;
	unsigned char *room;
	int found;

	if (archive_read_open(stream->archive, stream, NULL, give_blob, NULL) != ARCHIVE_OK)
		return fail(stream);
	found = archive_read_next_header(stream->archive, &entry);
	if (found == ARCHIVE_EOF)
		return 0;
	if (found != ARCHIVE_OK)
		return fail(stream);
	while ((room = parts_room(parts))) {
		la_ssize_t got = archive_read_data(stream->archive, room, PART_SIZE);

		if (got < 0)
			return fail(stream);
		if (got == 0)
			break;
		oci_check_add(&stream->plain, room, (size_t)got);
		parts_give(parts, (size_t)got);
	}
	return 0;
}

static void make_parts(struct parts *parts, void *context)
{
	struct oci_stream *stream = context;

	stream->failed = uncompress(stream, parts) != 0;
}

/* Knows the compressions that layers may have, and takes their content as one piece. */
static struct archive *make_archive(void)
{
	struct archive *archive = archive_read_new();

	if (archive && archive_read_support_filter_gzip(archive) == ARCHIVE_OK &&
		archive_read_support_filter_zstd(archive) == ARCHIVE_OK &&
		archive_read_support_format_empty(archive) == ARCHIVE_OK &&
		archive_read_support_format_raw(archive) == ARCHIVE_OK)
		return archive;
	archive_read_free(archive);
	return NULL;
}

struct oci_stream *oci_stream_open(int blob, const struct oci_layer *layer, struct error *err)
{
	struct oci_stream *stream = calloc(1, sizeof(*stream));

	if (stream) {
		stream->blob = blob;
		stream->left = layer->size;
		oci_check_start(&stream->raw, &layer->blob);
		oci_check_start(&stream->plain, &layer->diff);
		stream->archive = make_archive();
		if (stream->archive)
			stream->parts = parts_start(make_parts, stream);
	}
	if (stream && stream->parts)
		return stream;
	error_set(err, errno, "cannot start to unpack it");
	if (stream)
		oci_stream_close(stream);
	return NULL;
}

ssize_t oci_stream_next(struct oci_stream *stream, const void **data, struct error *err)
{
	size_t bytes;

	if (stop_wanted())
		return error_set(err, EINTR, "cannot unpack it");
	bytes = parts_next(stream->parts, data);
	if (bytes || !stream->failed)
		return (ssize_t)bytes;
	*err = stream->error;
	return -1;
}

uint64_t oci_stream_position(struct oci_stream *stream)
{
	return stream->position;
}

/* The rest of the blob, which may go on behind the end of what was compressed. */
static int check_blob(struct oci_stream *stream, struct error *err)
{
	parts_end(stream->parts);
	while (stream->left) {
		if (stop_wanted())
			return error_set(err, EINTR, "cannot read it");
		if (read_blob(stream) < 0)
			return error_set(err, errno, "cannot read it");
	}
	if (!oci_check_matches(&stream->raw))
		return error_set(err, 0, "its content has another digest: copy the image again");
	return 0;
}

/* Reads to the end of the tar. */
static int drain(struct oci_stream *stream, struct error *err)
{
	const void *data;
	ssize_t got;

	do
		got = oci_stream_next(stream, &data, err);
	while (got > 0);
	return got < 0 ? -1 : 0;
}

int oci_stream_finish(struct oci_stream *stream, struct error *err)
{
	struct error drained, blamed;
	int failed = drain(stream, &drained);

	if (check_blob(stream, &blamed)) {
		*err = blamed;
		return -1;
	}
	if (failed)
		*err = drained;
	else if (!oci_check_matches(&stream->plain))
		failed = error_set(err, 0, "its tar has another digest than %s, of the config",
			stream->plain.expected.text);
	return failed;
}

int oci_stream_blame(struct oci_stream *stream, struct error *err)
{
	return check_blob(stream, err);
}

void oci_stream_close(struct oci_stream *stream)
{
	parts_free(stream->parts);
	archive_read_free(stream->archive);
	free(stream);
}
