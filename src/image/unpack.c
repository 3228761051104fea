#include "image/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "image/remove.h"
#include "image/unpack_job.h"

static int (*const compressions[])(struct archive *archive) = {
	archive_read_support_filter_bzip2,
	archive_read_support_filter_xz,
	archive_read_support_filter_lzma,
	archive_read_support_filter_zstd,
	archive_read_support_filter_lz4,
	archive_read_support_filter_compress,
};

static struct archive *new_reader(void)
{
	struct archive *archive = archive_read_new();

	for (size_t i = 0; archive && i < sizeof(compressions) / sizeof(*compressions); i++)
		if (compressions[i](archive) != ARCHIVE_OK) {
			archive_read_free(archive);
			return NULL;
		}
	return archive;
}

struct archive *unpack_reader(void)
{
	struct archive *archive = new_reader();

	if (archive && archive_read_support_format_empty(archive) == ARCHIVE_OK &&
		archive_read_support_format_raw(archive) == ARCHIVE_OK)
		return archive;
	archive_read_free(archive);
	return NULL;
}

struct archive *unpack_lister(void)
{
	struct archive *archive = new_reader();

	if (archive && archive_read_support_filter_gzip(archive) == ARCHIVE_OK &&
		archive_read_support_format_tar(archive) == ARCHIVE_OK)
		return archive;
	archive_read_free(archive);
	return NULL;
}

int unpack_entry_fail(
	const struct unpack_entry *entry, int cause, const char *what, struct error *err)
{
	return error_set(
		err, cause, "%s: the entry %s %s", entry->job->stream.name, entry->name, what);
}

int unpack_entry_open_parent(struct unpack_entry *entry, bool make, struct error *err)
{
	entry->base = entry_path_split(entry->path, entry->parent);
	entry->dir = folders_open(&entry->job->folders, entry->parent, make);
	if (entry->dir >= 0)
		return 0;
	if (errno == ENOTDIR)
		return unpack_entry_fail(
			entry, 0, "leads through a symbolic link or a file, not a directory", err);
	if (errno == ENOENT && !make)
		return -1;
	return unpack_entry_fail(entry, errno, "cannot be unpacked", err);
}

int unpack_entry_clear(struct unpack_entry *entry, struct error *err)
{
	struct owners *owners = entry->job->unpack->owners;
	char absolute[PATH_MAX + 1];

	snprintf(absolute, sizeof(absolute), "/%s", entry->path);
	if (owners)
		owners_forget(owners, absolute);
	if (unlinkat(entry->dir, entry->base, 0) == 0)
		return 0;
	if (remove_tree(entry->dir, entry->base))
		return unpack_entry_fail(entry, errno, "cannot replace what is there", err);
	if (owners)
		owners_forget_below(owners, absolute);
	folders_close(&entry->job->folders);
	return unpack_entry_open_parent(entry, false, err);
}

int unpack_entry_charge(const struct unpack_entry *entry, uint64_t bytes, struct error *err)
{
	struct unpack *unpack = entry->job->unpack;

	if (bytes > unpack->left)
		return unpack_entry_fail(entry, 0,
			"makes the image larger than --image-limit allows; raise it if that is "
			"right",
			err);
	unpack->left -= bytes;
	return 0;
}

static int unpack_one(struct unpack_entry *entry, struct error *err)
{
	const char *wrong = entry_path(entry->name, entry->path);

	if (wrong)
		return unpack_entry_fail(entry, 0, wrong, err);
	if (unpack_entry_charge(entry, UNPACK_ENTRY_COST, err))
		return -1;
	return whiteout_is(entry) ? whiteout_do(entry, err) : unpack_make(entry, err);
}

/* Names in another character set than the locale's are given as they are: just what is wanted. */
static bool is_fine(struct archive *archive, int status)
{
	return status == ARCHIVE_OK || (status == ARCHIVE_WARN && archive_errno(archive) == EILSEQ);
}

static int unpack_all(struct unpack_job *job, struct error *err)
{
	struct archive *entries = job->stream.entries;
	struct unpack_entry entry = { .job = job };
	int status;

	while (is_fine(entries, status = archive_read_next_header(entries, &entry.entry))) {
		entry.name = archive_entry_pathname(entry.entry);
		if (!entry.name)
			entry.name = "";
		if (unpack_one(&entry, err))
			return -1;
	}
	if (status != ARCHIVE_EOF)
		return error_set(err, 0, "cannot read %s: %s", job->stream.name,
			archive_error_string(entries));
	if (tar_stream_finish(&job->stream, err))
		return -1;
	return folders_finish(&job->folders, err);
}

/* How many bytes a tar may have whose files may have `left`: an entry of a few bytes takes some
 * blocks for itself. This is for bombs that are no files. */
static uint64_t stream_limit(uint64_t left)
{
	const uint64_t least = 1 << 20;

	return left > (UINT64_MAX - least) / 2 ? UINT64_MAX : 2 * left + least;
}

int unpack_archive(
	struct unpack *unpack, struct archive *archive, const char *name, struct error *err)
{
	struct unpack_job job = {
		.unpack = unpack,
		.stream = { .source = archive, .name = name, .most = stream_limit(unpack->left) },
	};
	int failed;

	folders_start(&job.folders, unpack->root, unpack->give);
	failed = tar_stream_open(&job.stream, err) || unpack_all(&job, err) ? -1 : 0;
	tar_stream_close(&job.stream);
	folders_release(&job.folders);
	names_release(&job.own);
	return failed;
}
