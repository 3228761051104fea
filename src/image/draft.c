#include "image/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "image/sweep.h"
#include "image/remove.h"

/* What the image says is the mode of its root comes later. */
#define ROOT_MODE 0755

static int make_draft(const struct image_store *store, struct image_draft *draft)
{
	const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

	sweep_name(draft->name);
	if (mkdirat(store->dir, draft->name, STORE_DIR_MODE))
		return -1;
	draft->dir = openat(store->dir, draft->name, flags);
	if (draft->dir < 0)
		return -1;
	draft->lock = openat(draft->dir, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (draft->lock < 0 || flock(draft->lock, LOCK_EX | LOCK_NB) ||
		mkdirat(draft->dir, "root", ROOT_MODE))
		return -1;
	draft->root = openat(draft->dir, "root", flags);
	return draft->root < 0 || fchmod(draft->root, ROOT_MODE) ? -1 : 0;
}

int image_draft_begin(const struct image_store *store, struct image_draft *draft, struct error *err)
{
	/* Without it a sweep could come between the making and the locking. */
	cleanup_close int lock = image_store_lock(store, err);

	*draft = (struct image_draft)IMAGE_DRAFT_NONE;
	if (lock < 0)
		return -1;
	if (make_draft(store, draft) == 0)
		return 0;
	error_set(err, errno, "cache of images %s (see XDG_CACHE_HOME)", store->path);
	image_draft_drop(store, draft);
	return -1;
}

static void close_all(struct image_draft *draft)
{
	const int all[] = { draft->root, draft->dir, draft->lock };

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] >= 0)
			close(all[i]);
	*draft = (struct image_draft)IMAGE_DRAFT_NONE;
}

int image_draft_keep(const struct image_store *store, struct image_draft *draft, const char *entry,
	struct error *err)
{
	/* A directory cannot be renamed to one that has files. */
	if (renameat(store->dir, draft->name, store->dir, entry)) {
		if (errno != EEXIST && errno != ENOTEMPTY)
			return error_set(err, errno, "cache of images %s", store->path);
		image_draft_drop(store, draft);
	}
	close_all(draft);
	return 0;
}

void image_draft_drop(const struct image_store *store, struct image_draft *draft)
{
	if (draft->name[0])
		remove_tree(store->dir, draft->name);
	close_all(draft);
}
