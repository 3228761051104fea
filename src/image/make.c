#include "image/make.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/stop.h"
#include "image/tree_count.h"

#define SOME_OWNER 65534

static bool belongs_to(int file, uid_t uid)
{
	struct stat status;

	return fstat(file, &status) == 0 && status.st_uid == uid;
}

/* May files get the owners that they have in the image? Root can be one of a container with few
 * ids, and file systems can have owners of their own: only a try tells. */
static bool may_give(const struct image_draft *draft)
{
	return geteuid() == 0 && fchown(draft->lock, SOME_OWNER, SOME_OWNER) == 0 &&
	       belongs_to(draft->lock, SOME_OWNER) && fchown(draft->lock, 0, 0) == 0;
}

static int write_owners(int dir, struct owners *owners, struct error *err)
{
	cleanup_close int fd = openat(dir, "owners", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	if (fd < 0)
		return error_set(err, errno, "cannot write to the cache of images");
	return owners_write(owners, fd, err);
}

static int unpack_files(struct making *making, const struct image_draft *draft,
	struct image_info *info, make_filler *fill, const void *from, struct error *err)
{
	struct owners owners = { 0 };
	struct unpack unpack = { .root = draft->root,
		.give = may_give(draft),
		.owners = &owners,
		.left = making->options->limit };
	int failed = fill(making, &unpack, info, from, err);

	info->bytes = making->options->limit - unpack.left;
	if (!failed && !unpack.give)
		failed = write_owners(draft->dir, &owners, err);
	owners_release(&owners);
	return failed;
}

static int describe(const struct making *making, const struct image_draft *draft,
	struct image_info *info, struct error *err)
{
	info->source = strdup(making->path);
	info->created = time(NULL);
	if (!info->source)
		return error_set(err, ENOMEM, "%s", making->name);
	if (tree_count(draft->root, &info->files))
		return error_set(err, errno, "%s: cannot count its files", making->name);
	return image_entry_stamp(info, err) ? -1 : image_info_write(draft->dir, info, err);
}

int make_entry(struct making *making, struct image_info *info, make_filler *fill, const void *from,
	struct error *err)
{
	struct image_draft draft;
	int failed = image_draft_begin(&making->store, &draft, err);

	failed = failed || unpack_files(making, &draft, info, fill, from, err) ||
		 describe(making, &draft, info, err);
	/* Work that was interrupted looks complete to who does not look at errors. */
	if (!failed && stop_wanted())
		failed = error_set(err, EINTR, "%s", making->name);
	failed = failed || image_draft_keep(&making->store, &draft, info->entry, err);
	image_draft_drop(&making->store, &draft);
	return failed ? -1 : 0;
}

int make_from_entry(struct making *making, const char *entry, struct error *err)
{
	int found = image_entry_use(&making->store, entry, &making->info, &making->lock, err);

	if (found > 0 && making->info.bytes > making->options->limit)
		return error_set(err, 0,
			"%s: its files have %llu bytes, more than the %llu of --image-limit",
			making->name, (unsigned long long)making->info.bytes,
			(unsigned long long)making->options->limit);
	return found;
}
