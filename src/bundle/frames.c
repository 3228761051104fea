#include "bundle/frames.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#include "base/cleanup.h"
#include "base/write_all.h"
#include "bundle/kept.h"

#define LEVEL	      3
#define CHUNK	      (1u << 20)
#define KEPT_MIN      (16u << 10) /* smaller ones are compressed as soon as found */
#define PARALLEL_MIN  (16u << 20) /* from here on by several threads: */
#define OPEN_MAX_KEPT 256
#define WORKERS	      2 /* any number of them gives the same bytes */

/* Bytes of a file: of the spool, or of one that is kept, which is open for this. */
struct piece {
	int file;
	off_t start;
	uint64_t bytes;
};

struct frames {
	ZSTD_CCtx *context;
	int spool;
	int cache; /* directory, or -1 */
	struct piece *pieces;
	size_t count, open; /* in all, and of files that are kept */
	size_t room;
	char *out, *in;
};

void frames_release(struct frames *frames)
{
	if (!frames)
		return;
	ZSTD_freeCCtx(frames->context);
	for (size_t i = 0; i < frames->count; i++)
		if (frames->pieces[i].file != frames->spool)
			close(frames->pieces[i].file);
	free(frames->pieces);
	if (frames->cache >= 0)
		close(frames->cache);
	free(frames->out);
	free(frames->in);
	free(frames);
}

struct frames *frames_new(int spool, const char *cache)
{
	struct frames *frames = calloc(1, sizeof(*frames));

	if (!frames)
		return NULL;
	frames->spool = spool;
	frames->cache = cache ? kept_open(cache) : -1;
	frames->room = ZSTD_CStreamOutSize();
	frames->out = malloc(frames->room);
	frames->in = malloc(CHUNK);
	frames->context = ZSTD_createCCtx();
	if (frames->out && frames->in && frames->context)
		return frames;
	frames_release(frames);
	errno = ENOMEM;
	return NULL;
}

static void begin(struct frames *frames, uint64_t size)
{
	ZSTD_CCtx *context = frames->context;

	ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters);
	ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	ZSTD_CCtx_setParameter(context, ZSTD_c_nbWorkers, size >= PARALLEL_MIN ? WORKERS : 0);
	ZSTD_CCtx_setPledgedSrcSize(context, size);
}

static int compress(struct frames *frames, const void *data, size_t bytes, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { data, bytes, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { frames->out, frames->room, 0 };

		left = ZSTD_compressStream2(frames->context, &out, &in, end);
		if (ZSTD_isError(left)) {
			errno = ENOMEM;
			return -1;
		}
		if (out.pos && write_all(frames->spool, frames->out, out.pos))
			return -1;
	} while (end == ZSTD_e_continue ? in.pos < in.size : left > 0);
	return 0;
}

/* What is behind the last one in the same file becomes part of it. */
static int add_piece(struct frames *frames, struct piece piece)
{
	struct piece *last = frames->count ? &frames->pieces[frames->count - 1] : NULL;
	struct piece *pieces;

	if (last && last->file == piece.file && last->start + (off_t)last->bytes == piece.start) {
		last->bytes += piece.bytes;
		return 0;
	}
	pieces = reallocarray(frames->pieces, frames->count + 1, sizeof(*pieces));
	if (!pieces)
		return -1;
	frames->pieces = pieces;
	pieces[frames->count++] = piece;
	return 0;
}

/* What was written to the spool since `start`. */
static int add_spooled(struct frames *frames, off_t start, struct piece *piece)
{
	off_t end = lseek(frames->spool, 0, SEEK_CUR);

	if (start < 0 || end < 0)
		return -1;
	*piece = (struct piece){ frames->spool, start, (uint64_t)(end - start) };
	return add_piece(frames, *piece);
}

int frames_add(struct frames *frames, const void *data, size_t bytes)
{
	off_t start = lseek(frames->spool, 0, SEEK_CUR);
	struct piece piece;

	begin(frames, bytes);
	return compress(frames, data, bytes, ZSTD_e_end) || add_spooled(frames, start, &piece) ? -1
											       : 0;
}

static int compress_file(
	struct frames *frames, int file, uint64_t size, size_t block, char hash_text[HASH_TEXT])
{
	size_t padding = (size_t)(-size % block);
	uint64_t done = 0;
	struct hash hash;
	ssize_t n;

	begin(frames, size + padding);
	hash_start(&hash);
	while ((n = pread(file, frames->in, CHUNK, (off_t)done)) > 0) {
		done += (uint64_t)n;
		if (done > size)
			break;
		hash_add(&hash, frames->in, (size_t)n);
		if (compress(frames, frames->in, (size_t)n, ZSTD_e_continue))
			return -1;
	}
	if (n < 0 || done != size) {
		errno = n < 0 ? errno : EBUSY;
		return -1;
	}
	hash_finish(&hash, hash_text);
	memset(frames->in, 0, padding);
	return compress(frames, frames->in, padding, ZSTD_e_end);
}

/* 1: the content is kept, and was added; 0: it is not. */
static int add_kept(struct frames *frames, const char *key, char hash[HASH_TEXT])
{
	struct piece piece;

	if (frames->open == OPEN_MAX_KEPT)
		return 0;
	piece.file = kept_take(frames->cache, key, &piece.start, &piece.bytes, hash);
	if (piece.file < 0)
		return 0;
	if (add_piece(frames, piece)) {
		close(piece.file);
		return -1;
	}
	frames->open++;
	return 1;
}

int frames_add_file(struct frames *frames, int file, const struct stat *status, size_t block,
	char hash[HASH_TEXT])
{
	uint64_t size = (uint64_t)status->st_size;
	bool keeps = frames->cache >= 0 && size >= KEPT_MIN;
	off_t start = lseek(frames->spool, 0, SEEK_CUR);
	char key[HASH_TEXT];
	struct piece piece;
	int kept = 0;

	if (keeps) {
		kept_key(status, key);
		kept = add_kept(frames, key, hash);
	}
	if (kept)
		return kept < 0 ? -1 : 0;
	if (compress_file(frames, file, size, block, hash) || add_spooled(frames, start, &piece))
		return -1;
	if (keeps)
		kept_put(frames->cache, key, status, piece.file, piece.start, piece.bytes, hash);
	return 0;
}

int frames_write(const struct frames *frames, int fd)
{
	for (size_t i = 0; i < frames->count; i++) {
		const struct piece *piece = &frames->pieces[i];

		if (kept_copy(piece->file, piece->start, fd, piece->bytes))
			return -1;
	}
	return 0;
}
