#include "image/tar_reader.h"

#include <archive.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/stop.h"
#include "image/parts.h"

struct tar_reader {
	int file;
	const char *name;
	uint64_t all, taken; /* bytes of the file, and of them used */
	void (*progress)(uint64_t done, uint64_t all);
	struct parts *parts;

	/* The thread's, and the caller's when it has ended: */
	struct hash hash;
	int cause; /* errno when it cannot be read */
};

static void read_ahead(struct parts *parts, void *context)
{
	struct tar_reader *reader = context;
	unsigned char *room;
	ssize_t bytes;

	while ((room = parts_room(parts))) {
		bytes = pread(reader->file, room, PART_SIZE, (off_t)reader->hash.bytes);
		if (bytes < 0 && errno == EINTR)
			continue;
		if (bytes < 0)
			reader->cause = errno;
		if (bytes <= 0)
			break;
		hash_add(&reader->hash, room, (size_t)bytes);
		parts_give(parts, (size_t)bytes);
	}
}

struct tar_reader *tar_reader_open(int file, const char *name,
	void (*progress)(uint64_t done, uint64_t all), struct error *err)
{
	struct tar_reader *reader = calloc(1, sizeof(*reader));
	struct stat status;

	if (reader && fstat(file, &status) == 0) {
		reader->file = file;
		reader->name = name;
		reader->all = (uint64_t)status.st_size;
		reader->progress = progress;
		hash_start(&reader->hash);
		reader->parts = parts_start(read_ahead, reader);
	}
	if (reader && reader->parts)
		return reader;
	error_set(err, errno, "%s", name);
	free(reader);
	return NULL;
}

/* The next part: its bytes, 0 at the end, -1 with errno. */
static ssize_t take_part(struct tar_reader *reader, const void **data)
{
	size_t bytes;

	if (stop_wanted()) {
		errno = EINTR;
		return -1;
	}
	bytes = parts_next(reader->parts, data);
	if (bytes == 0 && reader->cause) {
		errno = reader->cause;
		return -1;
	}
	reader->taken += bytes;
	if (reader->progress)
		reader->progress(reader->taken, reader->all);
	return (ssize_t)bytes;
}

static la_ssize_t give_part(struct archive *archive, void *client, const void **data)
{
	ssize_t bytes = take_part(client, data);

	if (bytes < 0)
		archive_set_error(archive, errno, "cannot read it");
	return bytes < 0 ? ARCHIVE_FATAL : bytes;
}

int tar_reader_give(struct tar_reader *reader, struct archive *archive, struct error *err)
{
	if (archive_read_open(archive, reader, NULL, give_part, NULL) == ARCHIVE_OK)
		return 0;
	return error_set(err, 0, "%s: %s", reader->name, archive_error_string(archive));
}

int tar_reader_finish(struct tar_reader *reader, char digest[HASH_TEXT], struct error *err)
{
	const void *data;
	ssize_t bytes;

	while ((bytes = take_part(reader, &data)) > 0)
		;
	if (bytes < 0)
		return error_set(err, errno, "%s: cannot read it", reader->name);
	hash_finish(&reader->hash, digest);
	return 0;
}

void tar_reader_close(struct tar_reader *reader)
{
	parts_free(reader->parts);
	free(reader);
}
