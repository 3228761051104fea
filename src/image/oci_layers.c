#include <archive.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/oci_json.h"
#include "image/oci_stream.h"
#include "image/unpack.h"

/* A layer on its way from blob to files. */
struct passage {
	struct oci_stream *stream;
	uint64_t before, all; /* bytes of blobs: of earlier layers, and of all */
	void (*progress)(uint64_t done, uint64_t all);
	struct error error; /* of the stream */
	bool failed;
};

static la_ssize_t give_part(struct archive *archive, void *client, const void **data)
{
	struct passage *passage = client;
	ssize_t got = oci_stream_next(passage->stream, data, &passage->error);

	if (passage->progress)
		passage->progress(
			passage->before + oci_stream_position(passage->stream), passage->all);
	if (got >= 0)
		return got;
	passage->failed = true;
	archive_set_error(archive, EIO, "%s", passage->error.text);
	return ARCHIVE_FATAL;
}

/* The bytes as they are: what was compressed is uncompressed by then. */
static struct archive *make_archive(void)
{
	struct archive *archive = archive_read_new();

	if (archive && archive_read_support_format_raw(archive) == ARCHIVE_OK)
		return archive;
	archive_read_free(archive);
	return NULL;
}

static int read_tar(
	struct passage *passage, const char *place, struct unpack *unpack, struct error *err)
{
	struct archive *archive = make_archive();
	int failed;

	if (!archive)
		return error_set(err, ENOMEM, "%s", place);
	if (archive_read_open(archive, passage, NULL, give_part, NULL) == ARCHIVE_OK)
		failed = unpack_archive(unpack, archive, place, err);
	else
		failed = error_set(err, 0, "%s: %s", place, archive_error_string(archive));
	archive_read_free(archive);
	return failed;
}

static int name_place(struct error *err, const char *place, const struct error *inner)
{
	struct error copy = *inner;

	return error_set(err, 0, "%s: %s", place, copy.text);
}

/* Of several things that are wrong the one that explains the others is told. */
static int pass(
	struct passage *passage, const char *place, struct unpack *unpack, struct error *err)
{
	struct error inner;

	if (read_tar(passage, place, unpack, err) == 0)
		return oci_stream_finish(passage->stream, &inner) ? name_place(err, place, &inner)
								  : 0;
	if (oci_stream_blame(passage->stream, &inner))
		return name_place(err, place, &inner);
	return passage->failed ? name_place(err, place, &passage->error) : -1;
}

static int unpack_layer(const struct oci *oci, const struct oci_layer *layer, const char *name,
	struct passage *passage, struct unpack *unpack, struct error *err)
{
	cleanup_close int blob = oci_blob_open(oci->dir, name, &layer->blob, layer->size, err);
	cleanup_free char *place = NULL;
	struct error inner;
	int failed;

	if (blob < 0)
		return -1;
	if (asprintf(&place, "%s: layer %s", name, layer->blob.text) < 0)
		return error_set(err, ENOMEM, "%s", name);
	passage->stream = oci_stream_open(blob, layer, &inner);
	if (!passage->stream)
		return name_place(err, place, &inner);
	failed = pass(passage, place, unpack, err);
	oci_stream_close(passage->stream);
	return failed;
}

/* Better now than when most of the layers are unpacked. */
static int check_presence(const struct oci *oci, const char *name, struct error *err)
{
	for (size_t i = 0; i < oci->layer_count; i++) {
		const struct oci_layer *layer = &oci->layers[i];
		cleanup_close int blob =
			oci_blob_open(oci->dir, name, &layer->blob, layer->size, err);

		if (blob < 0)
			return -1;
	}
	return 0;
}

int oci_unpack(const struct oci *oci, const char *name, struct unpack *unpack,
	void (*progress)(uint64_t done, uint64_t all), struct error *err)
{
	struct passage passage = { .progress = progress };

	if (check_presence(oci, name, err))
		return -1;
	for (size_t i = 0; i < oci->layer_count; i++)
		passage.all += oci->layers[i].size;
	for (size_t i = 0; i < oci->layer_count; i++) {
		if (unpack_layer(oci, &oci->layers[i], name, &passage, unpack, err))
			return -1;
		passage.before += oci->layers[i].size;
	}
	return 0;
}
