#include "box/root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "box/attach.h"
#include "box/devices.h"
#include "box/file_owners.h"
#include "box/file_systems.h"
#include "box/fresh.h"
#include "box/initial_files.h"
#include "box/inside.h"
#include "box/layer.h"
#include "box/loader.h"
#include "box/loopback.h"
#include "box/mountpoints.h"
#include "box/mounts.h"

/*
 * The directory of the code cache, in a mount of its own that is attached nowhere: read-only, and
 * without a way up.
 */
static int open_cache(const char *cache, struct error *err)
{
	char path[STAGE_PATH];
	cleanup_close int tree = -1;
	int fd;

	snprintf(path, sizeof(path), STAGE_HOST "%s", cache);
	tree = attach_clone(AT_FDCWD, path, true, err);
	if (tree < 0)
		return -1;
	fd = openat(tree, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return error_set(err, errno, "cannot open the code cache");
	return fd;
}

static int make_workdir(struct stage *stage, struct error *err)
{
	const char *path = stage->config->workdir;
	char name[PATH_MAX];
	int fd;

	if (!stage->config->make_workdir)
		return 0;
	fd = inside_point(&stage->record, path, 1, name, err);
	if (fd < 0)
		return error_set(err, errno, "cannot make the working directory %s", path);
	close(fd);
	return 0;
}

static int open_proc(struct error *err)
{
	int fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	return fd >= 0 ? fd : error_set(err, errno, "cannot open /proc in the container");
}

static int lay_out(struct stage *stage, struct error *err)
{
	const char *image = stage->config->image;
	int failed;

	stage->over = stage->config->over;
	failed = layer_directory(stage, image ? image : "/", "/", err);
	stage->over = NULL; /* mounts are as they are */
	return failed;
}

int root_build(const struct container *container, struct launch *launch, struct changes *changes,
	struct error *err)
{
	struct stage stage = {
		.config = container->config,
		.notes = container->config->verbose ? container->channel : -1,
		.own_root = !container->config->image,
	};
	struct loader loader;

	if (stage_enter(&stage, container->scratch, err) || lay_out(&stage, err) ||
		fresh_complete(&stage, err) || devices_mount(&stage, err) ||
		mounts_make(&stage, err) || initial_files_make(&stage, err) ||
		make_workdir(&stage, err) || streams_reopen(container->streams, err) ||
		loader_replace(&stage, &container->arena->config, &loader, err))
		return -1;
	launch->guest = loader.guest;
	launch->loader = loader.real;
	if (container->cache) {
		launch->code = open_cache(container->cache, err);
		if (launch->code < 0)
			return -1;
	}
	if ((container->save_fd >= 0 || container->config->digest || container->config->observer) &&
		changes_prepare(changes, &stage.record, container->arena, err))
		return -1;
	container->arena->config.foreign = stage.foreign;
	container->arena->config.short_counts = stage.short_counts;
	container->arena->config.loopback = stage.loopback;
	container->arena->config.other_buffers = !loopback_buffers_plain();
	if (stage_leave(err) || mountpoints_tell(&container->arena->config, err))
		return -1;
	file_systems_note(container->config, &container->arena->config);
	file_owners_note_ids(&container->arena->config);
	launch->proc = open_proc(err);
	return launch->proc < 0 ? -1 : 0;
}
