#include "diff/blob.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/write_all.h"

#define IN_MEMORY (16ull << 20) /* more than that goes to the disk */

static const unsigned char nothing[1];

static int map(struct blob *blob, int fd, uint64_t size)
{
	void *mapping;

	blob->data = nothing;
	blob->size = size;
	if (!size)
		return 0;
	mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (mapping == MAP_FAILED)
		return -1;
	blob->data = blob->mapping = mapping;
	blob->mapped = size;
	return 0;
}

int blob_map(struct blob *blob, int fd, const char *name, struct error *err)
{
	struct stat status;

	*blob = (struct blob){ .data = nothing, .name = name };
	if (fstat(fd, &status))
		return error_set(err, errno, "cannot read %s", name);
	if (!S_ISREG(status.st_mode))
		return error_set(err, 0, "cannot read %s: it is no regular file", name);
	if (map(blob, fd, (uint64_t)status.st_size))
		return error_set(err, errno, "cannot map %s", name);
	return 0;
}

struct blob blob_part(const struct blob *of, uint64_t offset, uint64_t size, const char *name)
{
	if (offset > of->size)
		offset = of->size;
	if (size > of->size - offset)
		size = of->size - offset;
	return (struct blob){ .data = of->data + offset, .size = size, .name = name };
}

void blob_close(struct blob *blob)
{
	if (blob->mapping)
		munmap(blob->mapping, blob->mapped);
	*blob = (struct blob){ .data = nothing };
}

void blob_write_start(struct blob_writer *writer, struct budget *budget)
{
	*writer = (struct blob_writer){ .fd = -1, .budget = budget };
}

static const char *scratch_place(void)
{
	const char *place = getenv("TMPDIR");

	return place && place[0] == '/' ? place : "/var/tmp";
}

int blob_scratch_file(void)
{
	int fd = open(scratch_place(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd < 0 ? memfd_create("stet-diff", MFD_CLOEXEC) : fd;
}

static int spill(struct blob_writer *writer)
{
	writer->fd = blob_scratch_file();
	if (writer->fd < 0 || write_all(writer->fd, writer->data, writer->size))
		return -1;
	free(writer->data);
	writer->data = NULL;
	writer->room = 0;
	return 0;
}

static int grow(struct blob_writer *writer, uint64_t bytes)
{
	uint64_t room = writer->room ? writer->room : 65536;
	unsigned char *data;

	while (room < writer->size + bytes)
		room *= 2;
	if (room == writer->room)
		return 0;
	data = realloc(writer->data, room);
	if (!data)
		return -1;
	writer->data = data;
	writer->room = room;
	return 0;
}

static bool fits(const struct budget *budget, uint64_t bytes)
{
	if (budget->most && (budget->all > budget->most || bytes > budget->most - budget->all))
		return false;
	return bytes <= budget->left;
}

int blob_write(struct blob_writer *writer, const void *data, size_t bytes, struct error *err)
{
	if (!bytes)
		return 0;
	if (!fits(writer->budget, bytes)) {
		writer->budget->exceeded = true;
		return error_set(err, 0, "more would be unpacked than --memory-limit allows");
	}
	if (writer->fd < 0 && writer->size + bytes > IN_MEMORY && spill(writer))
		return error_set(
			err, errno, "cannot write what is unpacked to %s", scratch_place());
	if (writer->fd >= 0) {
		if (write_all(writer->fd, data, bytes))
			return error_set(
				err, errno, "cannot write what is unpacked to %s", scratch_place());
	} else {
		if (grow(writer, bytes))
			return error_set(err, ENOMEM, "cannot hold what is unpacked");
		memcpy(writer->data + writer->size, data, bytes);
	}
	writer->size += bytes;
	writer->budget->left -= bytes;
	writer->budget->all += bytes;
	return 0;
}

/* What is in memory becomes a mapping too: one way to close. */
static int map_memory(const struct blob_writer *writer, struct blob *blob)
{
	void *mapping;

	if (!writer->size)
		return 0;
	mapping = mmap(
		NULL, writer->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapping == MAP_FAILED)
		return -1;
	memcpy(mapping, writer->data, writer->size);
	blob->data = blob->mapping = mapping;
	blob->mapped = writer->size;
	return 0;
}

int blob_write_finish(
	struct blob_writer *writer, struct blob *blob, const char *name, struct error *err)
{
	int failed;

	*blob = (struct blob){ .data = nothing, .size = writer->size, .name = name };
	failed = writer->fd >= 0 ? map(blob, writer->fd, writer->size) : map_memory(writer, blob);
	if (failed) {
		error_set(err, errno, "cannot map what is unpacked");
		blob_write_cancel(writer);
		return -1;
	}
	if (writer->fd >= 0)
		close(writer->fd);
	free(writer->data);
	return 0;
}

void blob_write_cancel(struct blob_writer *writer)
{
	writer->budget->left += writer->size;
	if (writer->fd >= 0)
		close(writer->fd);
	free(writer->data);
	blob_write_start(writer, writer->budget);
}

void blob_unpacked_close(struct blob *blob, struct budget *budget)
{
	budget->left += blob->size;
	blob_close(blob);
}

bool blob_equal(const struct blob *a, const struct blob *b)
{
	return a->size == b->size && (a->data == b->data || memcmp(a->data, b->data, a->size) == 0);
}

uint64_t blob_be(const struct blob *blob, uint64_t at, unsigned bytes)
{
	uint64_t number = 0;

	if (at > blob->size || blob->size - at < bytes)
		return 0;
	for (unsigned i = 0; i < bytes; i++)
		number = number << 8 | blob->data[at + i];
	return number;
}

uint64_t blob_le(const struct blob *blob, uint64_t at, unsigned bytes)
{
	uint64_t number = 0;

	if (at > blob->size || blob->size - at < bytes)
		return 0;
	for (unsigned i = bytes; i-- > 0;)
		number = number << 8 | blob->data[at + i];
	return number;
}

bool blob_has(const struct blob *blob, uint64_t at, const void *bytes, size_t count)
{
	return at <= blob->size && blob->size - at >= count &&
	       memcmp(blob->data + at, bytes, count) == 0;
}
