#include "bundle/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/cleanup.h"
#include "bundle/tar.h"

#define LEVEL	    3
#define WORKERS	    2 /* any number but none gives the same bytes */
#define CHUNK	    (1 << 20)
#define MEMBER_MODE 0644

/* Bytes on their way through the compression into the spool. */
struct stream {
	ZSTD_CCtx *context;
	int fd;
	int error; /* errno */
	size_t room;
	char *out, *in;
};

static int fail(const struct packing *packing, int cause, struct error *err)
{
	return error_set(err, cause, "cannot write the bundle %s", packing->name);
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

static int compress(struct stream *stream, const void *data, size_t bytes, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { data, bytes, 0 };
	size_t left;

	do {
		ZSTD_outBuffer out = { stream->out, stream->room, 0 };

		left = ZSTD_compressStream2(stream->context, &out, &in, end);
		if (ZSTD_isError(left)) {
			stream->error = ENOMEM;
			return -1;
		}
		if (out.pos && write_all(stream->fd, stream->out, out.pos)) {
			stream->error = errno;
			return -1;
		}
	} while (end == ZSTD_e_continue ? in.pos < in.size : left > 0);
	return 0;
}

static void stream_release(struct stream *stream)
{
	if (!stream)
		return;
	ZSTD_freeCCtx(stream->context);
	free(stream->out);
	free(stream->in);
	free(stream);
}

static struct stream *stream_new(int fd)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->fd = fd;
	stream->room = ZSTD_CStreamOutSize();
	stream->out = malloc(stream->room);
	stream->in = malloc(CHUNK);
	stream->context = ZSTD_createCCtx();
	if (stream->out && stream->in && stream->context) {
		ZSTD_CCtx_setParameter(stream->context, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(stream->context, ZSTD_c_checksumFlag, 1);
		ZSTD_CCtx_setParameter(stream->context, ZSTD_c_nbWorkers, WORKERS);
		return stream;
	}
	stream_release(stream);
	return NULL;
}

static void directory_of(const char *name, char directory[PATH_MAX])
{
	const char *slash = strrchr(name, '/');

	snprintf(directory, PATH_MAX, "%.*s", slash ? (int)(slash - name + 1) : 1,
		slash ? name : ".");
}

/* A file without a name, in the directory that the bundle will be in. */
static int open_nameless(const char *name)
{
	char directory[PATH_MAX], path[PATH_MAX + 16];
	int fd;

	directory_of(name, directory);
	fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	snprintf(path, sizeof(path), "%s/.stet-XXXXXX", directory);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int packing_begin(struct packing *packing, struct error *err)
{
	struct stat status;

	packing->spool = -1;
	if (stat(packing->name, &status) == 0 && !S_ISREG(status.st_mode))
		return error_set(err, 0, "cannot write the bundle %s: something else is there",
			packing->name);
	packing->spool = open_nameless(packing->name);
	if (packing->spool < 0)
		return fail(packing, errno, err);
	packing->stream = stream_new(packing->spool);
	clock_gettime(CLOCK_REALTIME, &packing->start);
	return packing->stream ? 0 : fail(packing, ENOMEM, err);
}

static const char zeros[TAR_END];

static int put_header(struct stream *stream, const char *member, mode_t mode, uint64_t size)
{
	size_t bytes;
	cleanup_free char *header = tar_header(member, mode, size, &bytes);

	stream->error = ENOMEM;
	return header ? compress(stream, header, bytes, ZSTD_e_continue) : -1;
}

static int put_content(struct packing *packing, int fd, uint64_t size, char hash_text[HASH_TEXT])
{
	char *buffer = packing->stream->in;
	uint64_t done = 0;
	struct hash hash;
	ssize_t n;

	hash_start(&hash);
	while ((n = pread(fd, buffer, CHUNK, (off_t)done)) > 0) {
		done += (uint64_t)n;
		if (done > size)
			break;
		hash_add(&hash, buffer, (size_t)n);
		if (compress(packing->stream, buffer, (size_t)n, ZSTD_e_continue)) {
			errno = packing->stream->error;
			return -1;
		}
	}
	if (n < 0 || done != size) {
		errno = n < 0 ? errno : EBUSY; /* somebody writes to it */
		return -1;
	}
	hash_finish(&hash, hash_text);
	return compress(packing->stream, zeros, tar_padding(size), ZSTD_e_continue);
}

int packing_add_member(struct packing *packing, const char *member, mode_t mode, int fd,
	uint64_t size, char hash[HASH_TEXT], struct error *err)
{
	if (put_header(packing->stream, member, mode, size))
		return fail(packing, packing->stream->error, err);
	if (put_content(packing, fd, size, hash))
		return error_set(err, errno, "cannot pack %s into %s", member, packing->name);
	packing->content_bytes += size;
	packing->content_count++;
	return 0;
}

int packing_add_bytes(struct packing *packing, const char *member, int fd,
	struct bundle_bytes *bytes, struct error *err)
{
	struct stat status;

	if (fstat(fd, &status))
		return error_set(err, errno, "cannot pack %s", member);
	bytes->present = true;
	bytes->size = (uint64_t)status.st_size;
	return packing_add_member(packing, member, MEMBER_MODE, fd, bytes->size, bytes->hash, err);
}

/* The index is a frame of its own: decompressed, frames behind each other are one. */
static int write_beginning(struct packing *packing, int fd, struct error *err)
{
	cleanup_free char *text = index_write(&packing->index, false, err);
	struct stream *stream = text ? stream_new(fd) : NULL;
	size_t length = text ? strlen(text) : 0;
	int cause = ENOMEM;
	bool good = stream && put_header(stream, BUNDLE_INDEX, MEMBER_MODE, length) == 0 &&
		    compress(stream, text, length, ZSTD_e_continue) == 0 &&
		    compress(stream, zeros, tar_padding(length), ZSTD_e_end) == 0;

	if (stream && stream->error)
		cause = stream->error;
	stream_release(stream);
	return good ? 0 : text ? fail(packing, cause, err) : -1;
}

static int copy_spool(struct packing *packing, int fd)
{
	off_t at = 0;
	ssize_t n;

	while ((n = pread(packing->spool, packing->stream->in, CHUNK, at)) > 0) {
		if (write_all(fd, packing->stream->in, (size_t)n))
			return -1;
		at += n;
	}
	return n < 0 ? -1 : 0;
}

/* The file gets its name in one step, when it is complete. */
static int give_name(struct packing *packing, int fd)
{
	char directory[PATH_MAX], temporary[PATH_MAX + 32], link[64];

	directory_of(packing->name, directory);
	snprintf(temporary, sizeof(temporary), "%s/.stet-pack-%d", directory, getpid());
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	unlink(temporary);
	if (linkat(AT_FDCWD, link, AT_FDCWD, temporary, AT_SYMLINK_FOLLOW))
		return -1;
	if (rename(temporary, packing->name) == 0)
		return 0;
	unlink(temporary);
	return -1;
}

int packing_finish(struct packing *packing, uint64_t *bytes, struct error *err)
{
	cleanup_close int fd = -1;
	struct stat status;

	if (compress(packing->stream, zeros, TAR_END, ZSTD_e_end))
		return fail(packing, packing->stream->error, err);
	fd = open_nameless(packing->name);
	if (fd < 0)
		return fail(packing, errno, err);
	if (write_beginning(packing, fd, err))
		return -1;
	if (copy_spool(packing, fd) || fstat(fd, &status) || give_name(packing, fd))
		return fail(packing, errno, err);
	*bytes = (uint64_t)status.st_size;
	return 0;
}

void packing_release(struct packing *packing)
{
	stream_release(packing->stream);
	if (packing->spool >= 0)
		close(packing->spool);
	index_release(&packing->index);
}
