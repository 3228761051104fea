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
#include "bundle/kept.h"

#define LEVEL	     3
#define CHUNK	     (1u << 20)
#define KEPT_MIN     (64u << 10) /* smaller ones are compressed as soon as found */
#define PARALLEL_MIN (16u << 20) /* from here on by several threads: */
#define WORKERS	     2		 /* any number of them gives the same bytes */

struct frames {
	ZSTD_CCtx *context;
	int fd;
	int cache; /* directory, or -1 */
	size_t room;
	char *out, *in;
};

void frames_release(struct frames *frames)
{
	if (!frames)
		return;
	ZSTD_freeCCtx(frames->context);
	if (frames->cache >= 0)
		close(frames->cache);
	free(frames->out);
	free(frames->in);
	free(frames);
}

struct frames *frames_new(int fd, const char *cache)
{
	struct frames *frames = calloc(1, sizeof(*frames));

	if (!frames)
		return NULL;
	frames->fd = fd;
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

static int write_all(int fd, const char *data, size_t bytes)
{
	while (bytes > 0) {
		ssize_t n = write(fd, data, bytes);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			data += n;
			bytes -= (size_t)n;
		}
	}
	return 0;
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
		if (out.pos && write_all(frames->fd, frames->out, out.pos))
			return -1;
	} while (end == ZSTD_e_continue ? in.pos < in.size : left > 0);
	return 0;
}

int frames_add(struct frames *frames, const void *data, size_t bytes)
{
	begin(frames, bytes);
	return compress(frames, data, bytes, ZSTD_e_end);
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

int frames_add_file(struct frames *frames, int file, const struct stat *status, size_t block,
	char hash[HASH_TEXT])
{
	uint64_t size = (uint64_t)status->st_size;
	bool keeps = frames->cache >= 0 && size >= KEPT_MIN;
	char key[HASH_TEXT];
	off_t start, end;

	if (keeps) {
		kept_key(status, key);
		if (kept_take(frames->cache, key, frames->fd, hash))
			return 0;
	}
	start = lseek(frames->fd, 0, SEEK_CUR);
	if (compress_file(frames, file, size, block, hash))
		return -1;
	end = lseek(frames->fd, 0, SEEK_CUR);
	if (keeps && start >= 0)
		kept_put(frames->cache, key, status, frames->fd, start, end - start, hash);
	return 0;
}
