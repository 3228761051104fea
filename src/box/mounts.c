#include "box/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "box/attach.h"
#include "box/copy.h"
#include "box/inside.h"
#include "box/layer.h"

/* A copy that lies over a file of the host's, which stays as it is. */
static int cover_file(struct stage *stage, const struct box_mount *mount, const char *name,
	const struct stat *status, struct error *err)
{
	char host[STAGE_PATH], own[64], target[STAGE_PATH];
	struct copy copy = { AT_FDCWD, host, AT_FDCWD, own, status };

	snprintf(host, sizeof(host), STAGE_HOST "%s", mount->host);
	snprintf(own, sizeof(own), STAGE_UPPER "%u", stage->record.uppers++);
	snprintf(target, sizeof(target), STAGE_ROOT "%s", name);
	if (copy_file(&copy))
		return error_set(err, errno, "cannot copy %s into the container", mount->host);
	if (!record_add(&stage->record, PLACED_MOUNT, name))
		return error_set(err, ENOMEM, "cannot mount %s", mount->host);
	return attach_path(own, target, false, err);
}

static int make_copy(struct stage *stage, const struct box_mount *mount, const char *name,
	const struct stat *status, struct error *err)
{
	char target[STAGE_PATH];

	if (S_ISDIR(status->st_mode))
		return layer_directory(stage, mount->host, name, err);
	if (record_is_mounted(&stage->record, name))
		return cover_file(stage, mount, name, status, err);
	snprintf(target, sizeof(target), STAGE_ROOT "%s", name);
	if (unlink(target))
		return error_set(err, errno, "cannot replace %s in the container", name);
	return layer_copy(stage, mount->host, name, err);
}

static bool is_private(const struct box_mount *mount)
{
	return mount->mode == BOX_MOUNT_COPY || mount->mode == BOX_MOUNT_HELD;
}

/* Changes that are written back need the true directory, or the one that the file is in. */
static int keep_true(
	struct stage *stage, const struct box_mount *mount, struct placed *item, struct error *err)
{
	char host[STAGE_PATH];

	if (item->kind == PLACED_MOUNT)
		return error_set(err, 0,
			"changes in %s cannot be held back: no layer can be made over it",
			mount->host);
	if (!stage->config->write_back)
		return 0;
	snprintf(host, sizeof(host), STAGE_HOST "%s", mount->host);
	if (item->kind == PLACED_FILE)
		*strrchr(host, '/') = '\0';
	item->tree = attach_clone(AT_FDCWD, host, false, err);
	return item->tree < 0 ? -1 : 0;
}

static int make_private(struct stage *stage, const struct box_mount *mount, const char *name,
	const struct stat *status, struct error *err)
{
	struct placed *item;

	stage->held = mount->mode == BOX_MOUNT_HELD;
	if (make_copy(stage, mount, name, status, err))
		return -1;
	item = record_find(&stage->record, name);
	if (!item)
		return error_set(err, EACCES, "cannot mount %s", mount->host);
	item->mount = (unsigned)(mount - stage->config->mounts) + 1;
	return stage->held ? keep_true(stage, mount, item, err) : 0;
}

static int make_one(struct stage *stage, const struct box_mount *mount, struct error *err)
{
	char host[STAGE_PATH], name[PATH_MAX];
	cleanup_close int point = -1, tree = -1;
	struct placed *item;
	struct stat status;

	snprintf(host, sizeof(host), STAGE_HOST "%s", mount->host);
	if (stat(host, &status))
		return error_set(err, errno, "cannot mount %s", mount->host);
	point = inside_point(&stage->record, mount->inside, S_ISDIR(status.st_mode), name, err);
	if (point < 0)
		return -1;
	if (is_private(mount))
		return make_private(stage, mount, name, &status, err);
	tree = attach_clone(AT_FDCWD, host, mount->mode == BOX_MOUNT_RO, err);
	if (tree < 0)
		return -1;
	item = record_shown(&stage->record, PLACED_MOUNT, name, mount->host);
	if (!item)
		return error_set(err, ENOMEM, "cannot mount %s", mount->host);
	item->mount = (unsigned)(mount - stage->config->mounts) + 1;
	if (stage->config->digest && mount->mode == BOX_MOUNT_RW)
		item->tree = fcntl(tree, F_DUPFD_CLOEXEC, 0);
	return attach_at(tree, point, mount->inside, err);
}

int mounts_make(struct stage *stage, struct error *err)
{
	const struct box_config *config = stage->config;

	stage->own_root = false;
	for (size_t i = 0; i < config->mount_count; i++)
		if (make_one(stage, &config->mounts[i], err))
			return -1;
	return 0;
}
