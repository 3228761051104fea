/* Entries from tars: of a root file system, or of an OCI layout. */
#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/make.h"
#include "image/oci.h"
#include "image/sources.h"
#include "image/tar_reader.h"

static void cleanup_archive_do(struct archive **archive)
{
	if (*archive)
		archive_read_free(*archive);
}
#define cleanup_archive __attribute__((cleanup(cleanup_archive_do)))

struct tar {
	int file;
	struct image_source source;
};

static int check_same(const struct making *making, const struct tar *tar, struct error *err)
{
	if (image_source_same(&tar->source, tar->file))
		return 0;
	return error_set(err, 0, "%s: changed while it was read", making->name);
}

static int fill_from_tar(struct making *making, struct unpack *unpack, struct image_info *info,
	const void *from, struct error *err)
{
	const struct tar *tar = from;
	cleanup_archive struct archive *archive = unpack_reader();
	struct tar_reader *reader;
	int failed;

	if (!archive)
		return error_set(err, ENOMEM, "%s", making->name);
	reader = tar_reader_open(tar->file, making->name, making->options->progress, err);
	if (!reader)
		return -1;
	failed = tar_reader_give(reader, archive, err) ||
		 unpack_archive(unpack, archive, making->name, err) ||
		 tar_reader_finish(reader, info->entry, err) || check_same(making, tar, err);
	tar_reader_close(reader);
	return failed ? -1 : 0;
}

/* Is there an entry of a tar of this size? Then it may be the same, in another place. */
static bool has_alike(const struct making *making, const struct tar *tar)
{
	struct image_listing listing;
	struct error ignored;
	bool found = false;

	if (image_store_list(&making->store, &listing, &ignored))
		return false;
	for (size_t i = 0; i < listing.count; i++)
		found |= listing.list[i].info.kind == IMAGE_TAR &&
			 listing.list[i].info.source_bytes == (uint64_t)tar->source.status.st_size;
	image_listing_release(&listing);
	return found;
}

static int hash_tar(const struct making *making, const struct tar *tar, char digest[HASH_TEXT],
	struct error *err)
{
	struct tar_reader *reader = tar_reader_open(tar->file, making->name, NULL, err);
	int failed = !reader || tar_reader_finish(reader, digest, err);

	if (reader)
		tar_reader_close(reader);
	return failed || check_same(making, tar, err) ? -1 : 0;
}

static int use_alike(struct making *making, const struct tar *tar, struct error *err)
{
	char digest[HASH_TEXT];

	if (!has_alike(making, tar))
		return 0;
	return hash_tar(making, tar, digest, err) ? -1 : make_from_entry(making, digest, err);
}

static int unpack_tar(struct making *making, const struct tar *tar, struct error *err)
{
	struct image_info info = { .kind = IMAGE_TAR,
		.source_bytes = (uint64_t)tar->source.status.st_size };
	int found = use_alike(making, tar, err);

	if (!found)
		found = make_entry(making, &info, fill_from_tar, tar, err)
				? -1
				: make_from_entry(making, info.entry, err);
	image_info_release(&info);
	return found;
}

/* The layout is unpacked to where a draft has its files, and its image to another one. */
static int unpack_layout(struct making *making, const struct tar *tar, struct error *err)
{
	struct image_draft draft;
	int found = -1;

	if (image_draft_begin(&making->store, &draft, err) == 0 &&
		oci_from_tar(tar->file, draft.root, making->name, making->options->limit,
			making->options->progress, err) == 0 &&
		check_same(making, tar, err) == 0)
		found = make_from_layout(making, draft.root, err);
	image_draft_drop(&making->store, &draft);
	return found;
}

/* Unless it is known which entry is the tar's. */
static int use_known(struct making *making, const struct tar *tar, struct error *err)
{
	char entry[HASH_TEXT];

	return image_source_find(&making->store, &tar->source, entry)
		       ? make_from_entry(making, entry, err)
		       : 0;
}

static int read_tar(struct making *making, const struct tar *tar, struct error *err)
{
	int found;

	if (oci_is_tar(tar->file))
		found = unpack_layout(making, tar, err);
	else if (making->tag)
		found = error_set(err, 0, "%s: only OCI images have tags", making->name);
	else
		found = unpack_tar(making, tar, err);
	if (found > 0)
		image_source_remember(&making->store, &tar->source, making->info.entry);
	return found;
}

int make_from_tar(struct making *making, int file, struct error *err)
{
	struct tar tar = { .file = file };
	int found, claim;

	if (image_source_look(&tar.source, file, making->tag))
		return error_set(err, errno, "%s", making->name);
	if (tar.source.status.st_size == 0)
		return error_set(err, 0, "%s: is empty: not a tar", making->name);
	found = use_known(making, &tar, err);
	if (found)
		return found;
	claim = image_store_claim(&making->store, tar.source.key, err);
	if (claim < 0)
		return -1;
	found = use_known(making, &tar, err); /* another process may have made it meanwhile */
	if (!found)
		found = read_tar(making, &tar, err);
	image_store_unclaim(&making->store, tar.source.key, claim);
	return found;
}
