#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "base/write_all.h"
#include "image/oci.h"
#include "image/oci_json.h"
#include "image/unpack.h"

#define CHUNK	      (256u << 10)
#define FIRST_ENTRIES 100  /* that a layout is recognized by */
#define ENTRY_COSTS   4096 /* bytes of the limit, whatever the entry has */

/* A tar of the host that libarchive reads. */
struct tar {
	int file;
	const char *name;
	struct archive *archive;
	uint64_t position, all; /* bytes of the file */
	void (*progress)(uint64_t done, uint64_t all);
	uint64_t left; /* bytes that may still be written */
	unsigned char chunk[CHUNK];
};

static ssize_t read_chunk(struct tar *tar)
{
	ssize_t got;

	do {
		if (stop_wanted()) {
			errno = EINTR;
			return -1;
		}
		got = pread(tar->file, tar->chunk, CHUNK, (off_t)tar->position);
	} while (got < 0 && errno == EINTR);
	return got;
}

static la_ssize_t give_chunk(struct archive *archive, void *client, const void **data)
{
	struct tar *tar = client;
	ssize_t got = read_chunk(tar);

	*data = tar->chunk;
	if (got < 0) {
		archive_set_error(archive, errno, "cannot read it");
		return ARCHIVE_FATAL;
	}
	tar->position += (uint64_t)got;
	if (tar->progress)
		tar->progress(tar->position, tar->all);
	return got;
}

static void tar_close(struct tar *tar)
{
	if (tar)
		archive_read_free(tar->archive);
	free(tar);
}

static struct tar *tar_open(int file, const char *name, struct error *err)
{
	struct tar *tar = calloc(1, sizeof(*tar));
	struct stat status;

	if (tar)
		tar->archive = unpack_lister();
	if (!tar || !tar->archive) {
		error_set(err, ENOMEM, "%s", name);
	} else if (fstat(file, &status)) {
		error_set(err, errno, "%s", name);
	} else {
		tar->file = file;
		tar->name = name;
		tar->all = (uint64_t)status.st_size;
		if (archive_read_open(tar->archive, tar, NULL, give_chunk, NULL) == ARCHIVE_OK)
			return tar;
		error_set(err, 0, "%s: %s", name, archive_error_string(tar->archive));
	}
	tar_close(tar);
	return NULL;
}

/* What an entry of a tar of a layout can be. */
enum part {
	PART_FOREIGN,	/* of something else */
	PART_DIRECTORY, /* any of the layout's */
	PART_DOCKER,	/* what Docker adds, for itself */
	PART_INDEX,
	PART_LAYOUT,
	PART_BLOB,
};

static enum part part_of(const char *path)
{
	static const struct {
		const char *path;
		enum part part;
	} parts[] = {
		{ "", PART_DIRECTORY },
		{ ".", PART_DIRECTORY },
		{ "blobs", PART_DIRECTORY },
		{ "blobs/sha256", PART_DIRECTORY },
		{ "blobs/sha512", PART_DIRECTORY },
		{ "manifest.json", PART_DOCKER },
		{ "repositories", PART_DOCKER },
		{ "index.json", PART_INDEX },
		{ "oci-layout", PART_LAYOUT },
	};
	char blob[OCI_BLOB_PATH];
	struct oci_digest digest;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strcmp(path, parts[i].path) == 0)
			return parts[i].part;
	if (strncmp(path, "blobs/", 6) != 0)
		return PART_FOREIGN;
	snprintf(blob, sizeof(blob), "%s", path + 6);
	if (strchr(blob, '/'))
		*strchr(blob, '/') = ':';
	return oci_digest_read(&digest, blob) ? PART_BLOB : PART_FOREIGN;
}

/* The entry's path, without what says nothing at its start and end; NULL when there is none. */
static char *path_of(struct archive_entry *entry)
{
	const char *path = archive_entry_pathname(entry);
	char *copy;
	size_t length;

	while (path && strncmp(path, "./", 2) == 0)
		path += 2;
	copy = path ? strdup(path) : NULL;
	length = copy ? strlen(copy) : 0;
	if (length && copy[length - 1] == '/')
		copy[length - 1] = 0;
	return copy;
}

/* A warning is about what is not looked at: times, owners. */
static bool is_entry(int found)
{
	return found == ARCHIVE_OK || found == ARCHIVE_WARN;
}

/* Blobs decide, as the layout's own file does: an index.json may be part of anything. What is passed
 * over has to be little, as it has to be uncompressed. */
bool oci_is_tar(int file)
{
	struct error err;
	struct tar *tar = tar_open(file, "", &err);
	enum part part = PART_FOREIGN;
	struct archive_entry *entry;

	for (int i = 0; i < FIRST_ENTRIES && tar; i++) {
		cleanup_free char *path = NULL;

		if (!is_entry(archive_read_next_header(tar->archive, &entry)))
			break;
		path = path_of(entry);
		part = path ? part_of(path) : PART_FOREIGN;
		if (archive_entry_size(entry) > OCI_DOCUMENT_MAX || part == PART_FOREIGN ||
			part == PART_LAYOUT || part == PART_BLOB)
			break;
	}
	tar_close(tar);
	return part == PART_LAYOUT || part == PART_BLOB;
}

static int broken(const struct tar *tar, struct error *err)
{
	return error_set(err, 0, "%s: %s", tar->name, archive_error_string(tar->archive));
}

static int spend(struct tar *tar, uint64_t bytes, struct error *err)
{
	if (bytes > tar->left)
		return error_set(err, 0, "%s: the layout in it is larger than --image-limit allows",
			tar->name);
	tar->left -= bytes;
	return 0;
}

/* A hole counts as what it stands for. */
static int copy_data(struct tar *tar, int fd, const char *path, struct error *err)
{
	int64_t offset, end = 0;
	const void *data;
	size_t bytes;
	int got;

	while ((got = archive_read_data_block(tar->archive, &data, &bytes, &offset)) ==
		ARCHIVE_OK) {
		if (offset < end || spend(tar, (uint64_t)(offset - end) + bytes, err))
			return offset < end
				       ? error_set(err, 0, "%s: %s: parts overlap", tar->name, path)
				       : -1;
		if (lseek(fd, offset, SEEK_SET) < 0 || write_all(fd, data, bytes))
			return error_set(err, errno, "%s: cannot unpack %s", tar->name, path);
		end = offset + (int64_t)bytes;
	}
	return got == ARCHIVE_EOF ? 0 : broken(tar, err);
}

/* The directory is new, and all in it is of this making: no links, and no other names than those of
 * part_of(). */
static int make_directories(const struct tar *tar, int dir, struct error *err)
{
	if (mkdirat(dir, "blobs", 0700) || mkdirat(dir, "blobs/sha256", 0700) ||
		mkdirat(dir, "blobs/sha512", 0700))
		return error_set(err, errno, "%s: cannot unpack it", tar->name);
	return 0;
}

static int copy_file(struct tar *tar, int dir, const char *path, struct error *err)
{
	cleanup_close int fd = -1;

	fd = openat(dir, path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(err, errno, "%s: cannot unpack %s", tar->name, path);
	return copy_data(tar, fd, path, err);
}

static int copy_entry(struct tar *tar, struct archive_entry *entry, int dir, struct error *err)
{
	cleanup_free char *path = path_of(entry);
	enum part part = path ? part_of(path) : PART_FOREIGN;

	if (spend(tar, ENTRY_COSTS, err))
		return -1;
	/* What is passed over has to be uncompressed all the same. */
	if (part != PART_INDEX && part != PART_LAYOUT && part != PART_BLOB)
		return spend(tar, (uint64_t)archive_entry_size(entry), err);
	if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry))
		return error_set(err, 0, "%s: %s: it is not a plain file", tar->name, path);
	return copy_file(tar, dir, path, err);
}

static int copy_all(struct tar *tar, int dir, struct error *err)
{
	struct archive_entry *entry;
	int found;

	while (is_entry(found = archive_read_next_header(tar->archive, &entry)))
		if (copy_entry(tar, entry, dir, err))
			return -1;
	return found == ARCHIVE_EOF ? 0 : broken(tar, err);
}

int oci_from_tar(int file, int dir, const char *name, uint64_t limit,
	void (*progress)(uint64_t done, uint64_t all), struct error *err)
{
	struct tar *tar = tar_open(file, name, err);
	int failed;

	if (!tar)
		return -1;
	tar->progress = progress;
	tar->left = limit;
	failed = make_directories(tar, dir, err) || copy_all(tar, dir, err);
	tar_close(tar);
	return failed ? -1 : 0;
}
