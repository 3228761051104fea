#include "bundle/pack.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "bundle/frames.h"
#include "bundle/tar.h"

#define MEMBER_MODE 0644

static int fail(const struct packing *packing, int cause, struct error *err)
{
	return error_set(err, cause, "cannot write the bundle %s", packing->name);
}

/* A file without a name, in the directory that the bundle will be in, which has the room; where that
 * cannot be, in memory. */
static int open_nameless(const char *name)
{
	const char *slash = strrchr(name, '/');
	char directory[PATH_MAX];
	int fd;

	snprintf(directory, PATH_MAX, "%.*s", slash ? (int)(slash - name + 1) : 1,
		slash ? name : ".");
	fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	return fd >= 0 ? fd : memfd_create("stet-pack", MFD_CLOEXEC);
}

int packing_begin(struct packing *packing, struct error *err)
{
	packing->spool = -1;
	packing->file = (struct new_file)NEW_FILE_NONE;
	if (new_file_open(&packing->file, "--output", packing->name, err))
		return -1;
	packing->spool = open_nameless(packing->name);
	if (packing->spool < 0)
		return fail(packing, errno, err);
	packing->frames = frames_new(packing->spool, packing->cache);
	clock_gettime(CLOCK_REALTIME, &packing->start);
	return packing->frames ? 0 : fail(packing, ENOMEM, err);
}

static int put_header(struct frames *frames, const char *member, mode_t mode, uint64_t size)
{
	size_t bytes;
	cleanup_free char *header = tar_header(member, mode, size, &bytes);

	return header ? frames_add(frames, header, bytes) : -1;
}

int packing_add_member(struct packing *packing, const char *member, mode_t mode, int fd,
	char hash[HASH_TEXT], struct error *err)
{
	struct stat status;

	if (fstat(fd, &status) ||
		put_header(packing->frames, member, mode, (uint64_t)status.st_size) ||
		frames_add_file(packing->frames, fd, &status, TAR_BLOCK, hash))
		return error_set(err, errno, "cannot pack %s into %s", member, packing->name);
	packing->content_bytes += (uint64_t)status.st_size;
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
	return packing_add_member(packing, member, MEMBER_MODE, fd, bytes->hash, err);
}

/* The header, the index and what fills its last block. */
static int put_index(struct frames *frames, const char *text)
{
	size_t length = strlen(text), padding = tar_padding(length);
	cleanup_free char *padded = calloc(1, length + padding + 1);

	if (!padded)
		return -1;
	stpcpy(padded, text);
	return put_header(frames, BUNDLE_INDEX, MEMBER_MODE, length) ||
			       frames_add(frames, padded, length + padding)
		       ? -1
		       : 0;
}

static int write_beginning(struct packing *packing, int fd, struct error *err)
{
	cleanup_free char *text = index_write(&packing->index, false, err);
	struct frames *frames = text ? frames_new(fd, NULL) : NULL;
	int failed = !frames || put_index(frames, text);

	if (text && failed)
		fail(packing, errno, err);
	frames_release(frames);
	return failed ? -1 : 0;
}

int packing_finish(struct packing *packing, uint64_t *bytes, struct error *err)
{
	static const char end[TAR_END];
	int fd = packing->file.fd;
	off_t size;

	if (frames_add(packing->frames, end, sizeof(end)))
		return fail(packing, errno, err);
	if (write_beginning(packing, fd, err))
		return -1;
	if (frames_write(packing->frames, fd) || (size = lseek(fd, 0, SEEK_CUR)) < 0)
		return fail(packing, errno, err);
	*bytes = (uint64_t)size;
	return new_file_finish(&packing->file, err);
}

void packing_release(struct packing *packing)
{
	frames_release(packing->frames);
	if (packing->spool >= 0)
		close(packing->spool);
	new_file_release(&packing->file);
	index_release(&packing->index);
}
