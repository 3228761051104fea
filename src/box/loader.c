#include "box/loader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "box/attach.h"
#include "box/inside.h"

extern const char guest_image[];
extern const size_t guest_image_size;

static int write_guest(struct error *err)
{
	cleanup_close int fd = open(STAGE_GUEST, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);

	if (fd < 0 || write(fd, guest_image, guest_image_size) != (ssize_t)guest_image_size ||
		fchmod(fd, 0555))
		return error_set(err, errno, "cannot write the guest into the container");
	return 0;
}

/* A root without a dynamic loader has static programs only: these start by the guest's exec. */
static int cover(struct stage *stage, struct arena_config *config, int tree, struct error *err)
{
	cleanup_close int target = inside_open(LOADER_PATH, O_PATH);

	if (target < 0)
		return 0;
	if (inside_name(target, config->loader_path, sizeof(config->loader_path)))
		return error_set(err, errno, "cannot resolve " LOADER_PATH);
	if (!record_add(&stage->record, PLACED_MOUNT, config->loader_path))
		return error_set(err, ENOMEM, "cannot lay the guest over the loader");
	return attach_at(tree, target, config->loader_path, err);
}

int loader_replace(
	struct stage *stage, struct arena_config *config, struct loader *loader, struct error *err)
{
	cleanup_close int tree = -1;
	struct stat status;
	char link[64];

	/* Through the overlay: a writer at this descriptor would change the private copy only. */
	loader->real = inside_open(LOADER_PATH, O_RDONLY);
	if (loader->real < 0 && errno != ENOENT && errno != ENOTDIR)
		return error_set(err, errno, "cannot open " LOADER_PATH " in the container");
	if (write_guest(err))
		return -1;
	tree = attach_clone(AT_FDCWD, STAGE_GUEST, true, err);
	if (tree < 0)
		return -1;
	if (cover(stage, config, tree, err))
		return -1;
	/* By way of the read-only mount, so that nobody can write through the descriptor. */
	snprintf(link, sizeof(link), STAGE_HOST "/proc/self/fd/%d", tree);
	loader->guest = open(link, O_RDONLY | O_CLOEXEC);
	if (loader->guest < 0 || fstat(loader->guest, &status))
		return error_set(err, errno, "cannot open the guest");
	config->guest_device = status.st_dev;
	config->guest_inode = status.st_ino;
	return 0;
}
