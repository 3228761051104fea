#include "image/oci_stream.h"

#include <archive.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define PART  (256u << 10)
#define PARTS 8

struct oci_stream {
	pthread_t thread;
	struct archive *archive; /* uncompresses */

	/* Of the thread, and of the caller when it has ended: */
	int blob;
	uint64_t left; /* bytes of the blob still to be read */
	struct oci_check raw, plain;
	struct error error;

	/* Shared: parts are filled and taken in a circle. */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned int filled, taken; /* counts that only grow */
	uint64_t position;
	bool ended; /* the thread fills no more */
	bool failed;
	bool stopped; /* the caller wants no more */
	bool joined;

	bool holding; /* the caller has the part that is next to be taken */
	size_t bytes[PARTS];
	unsigned char compressed[PART], parts[PARTS][PART];
};

static ssize_t read_blob(struct oci_stream *stream)
{
	size_t wanted = stream->left < PART ? (size_t)stream->left : PART;
	ssize_t got;

	do
		got = read(stream->blob, stream->compressed, wanted);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return got;
	oci_check_add(&stream->raw, stream->compressed, (size_t)got);
	/* A file that became shorter has come to its end; its digest will tell. */
	stream->left = got ? stream->left - (size_t)got : 0;
	return got;
}

static la_ssize_t give_blob(struct archive *archive, void *client, const void **data)
{
	struct oci_stream *stream = client;
	ssize_t got = read_blob(stream);

	*data = stream->compressed;
	if (got < 0)
		archive_set_error(archive, errno, "cannot read it");
	pthread_mutex_lock(&stream->lock);
	stream->position = stream->raw.bytes;
	pthread_mutex_unlock(&stream->lock);
	return got < 0 ? ARCHIVE_FATAL : got;
}

/* A part to fill, or NULL when no more is wanted. */
static unsigned char *wait_for_room(struct oci_stream *stream)
{
	unsigned char *part;

	pthread_mutex_lock(&stream->lock);
	while (!stream->stopped && stream->filled - stream->taken == PARTS)
		pthread_cond_wait(&stream->changed, &stream->lock);
	part = stream->stopped ? NULL : stream->parts[stream->filled % PARTS];
	pthread_mutex_unlock(&stream->lock);
	return part;
}

static void hand_over(struct oci_stream *stream, size_t bytes)
{
	pthread_mutex_lock(&stream->lock);
	stream->bytes[stream->filled++ % PARTS] = bytes;
	pthread_cond_signal(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
}

static int fail(struct oci_stream *stream)
{
	return error_set(&stream->error, 0, "%s", archive_error_string(stream->archive));
}

static int uncompress(struct oci_stream *stream)
{
	struct archive_entry *entry;
	unsigned char *part;
	int found;

	if (archive_read_open(stream->archive, stream, NULL, give_blob, NULL) != ARCHIVE_OK)
		return fail(stream);
	found = archive_read_next_header(stream->archive, &entry);
	if (found == ARCHIVE_EOF)
		return 0;
	if (found != ARCHIVE_OK)
		return fail(stream);
	while ((part = wait_for_room(stream))) {
		la_ssize_t got = archive_read_data(stream->archive, part, PART);

		if (got < 0)
			return fail(stream);
		if (got == 0)
			break;
		oci_check_add(&stream->plain, part, (size_t)got);
		hand_over(stream, (size_t)got);
	}
	return 0;
}

static void *work(void *argument)
{
	struct oci_stream *stream = argument;
	int failed = uncompress(stream);

	pthread_mutex_lock(&stream->lock);
	stream->ended = true;
	stream->failed = failed;
	pthread_cond_signal(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
	return NULL;
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

/* Signals are the caller's affair. */
static int start(struct oci_stream *stream)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	failed = pthread_create(&stream->thread, NULL, work, stream);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

struct oci_stream *oci_stream_open(int blob, const struct oci_layer *layer, struct error *err)
{
	struct oci_stream *stream = calloc(1, sizeof(*stream));
	int failed = ENOMEM;

	if (stream) {
		stream->blob = blob;
		stream->left = layer->size;
		oci_check_start(&stream->raw, &layer->blob);
		oci_check_start(&stream->plain, &layer->diff);
		pthread_mutex_init(&stream->lock, NULL);
		pthread_cond_init(&stream->changed, NULL);
		stream->archive = make_archive();
		if (stream->archive)
			failed = start(stream);
	}
	if (!failed)
		return stream;
	if (stream)
		archive_read_free(stream->archive);
	free(stream);
	error_set(err, failed, "cannot start to unpack it");
	return NULL;
}

/* What was taken before makes room. */
static void give_room(struct oci_stream *stream)
{
	if (stream->holding)
		stream->taken++;
	stream->holding = false;
	pthread_cond_signal(&stream->changed);
}

ssize_t oci_stream_next(struct oci_stream *stream, const void **data, struct error *err)
{
	ssize_t got = 0;

	pthread_mutex_lock(&stream->lock);
	give_room(stream);
	while (stream->filled == stream->taken && !stream->ended)
		pthread_cond_wait(&stream->changed, &stream->lock);
	if (stream->filled != stream->taken) {
		*data = stream->parts[stream->taken % PARTS];
		got = (ssize_t)stream->bytes[stream->taken % PARTS];
		stream->holding = true;
	} else if (stream->failed) {
		*err = stream->error;
		got = -1;
	}
	pthread_mutex_unlock(&stream->lock);
	return got;
}

uint64_t oci_stream_position(struct oci_stream *stream)
{
	uint64_t position;

	pthread_mutex_lock(&stream->lock);
	position = stream->position;
	pthread_mutex_unlock(&stream->lock);
	return position;
}

static void end_thread(struct oci_stream *stream)
{
	if (stream->joined)
		return;
	pthread_mutex_lock(&stream->lock);
	stream->stopped = true;
	pthread_cond_signal(&stream->changed);
	pthread_mutex_unlock(&stream->lock);
	pthread_join(stream->thread, NULL);
	stream->joined = true;
}

/* The rest of the blob, which may go on behind the end of what was compressed. */
static int check_blob(struct oci_stream *stream, struct error *err)
{
	end_thread(stream);
	while (stream->left)
		if (read_blob(stream) < 0)
			return error_set(err, errno, "cannot read it");
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
	end_thread(stream);
	archive_read_free(stream->archive);
	pthread_mutex_destroy(&stream->lock);
	pthread_cond_destroy(&stream->changed);
	free(stream);
}
