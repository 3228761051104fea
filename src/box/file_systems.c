#include "box/file_systems.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static dev_t device_of_path(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : status.st_dev;
}

/* And closes it. */
static dev_t device_of(int fd)
{
	struct stat status;
	dev_t device = fd >= 0 && fstat(fd, &status) == 0 ? status.st_dev : 0;

	if (fd >= 0)
		close(fd);
	return device;
}

static dev_t device_of_pipes(void)
{
	int ends[2];

	if (pipe(ends))
		return 0;
	close(ends[1]);
	return device_of(ends[0]);
}

void file_systems_note(const struct box_config *config, struct arena_config *arena)
{
	uint64_t *devices = arena->devices;
	dev_t root = device_of_path("/");
	size_t mounted = 0, copied = 0;

	devices[DEVICE_PROC] = device_of_path("/proc");
	devices[DEVICE_SYS] = device_of_path("/sys");
	devices[DEVICE_NODES] = device_of_path("/dev/null");
	devices[DEVICE_TERMINALS] = device_of_path("/dev/pts");
	devices[DEVICE_PIPES] = device_of_pipes();
	devices[DEVICE_SOCKETS] = device_of(socket(AF_UNIX, SOCK_STREAM, 0));
	devices[DEVICE_ANONYMOUS] = device_of(eventfd(0, 0));
	devices[DEVICE_MEMORY] = device_of(memfd_create("", 0));
	for (size_t i = 0; i < config->mount_count; i++) {
		dev_t device = device_of_path(config->mounts[i].inside);

		if (config->mounts[i].mode == BOX_MOUNT_HELD && mounted < MOUNTED_DEVICES)
			arena->held |= 1u << mounted;
		if (config->mounts[i].mode != BOX_MOUNT_COPY && mounted < MOUNTED_DEVICES)
			arena->mounted[mounted++] = device;
		else if (config->mounts[i].mode == BOX_MOUNT_COPY && device != root &&
			 copied < MOUNTED_DEVICES)
			arena->copied[copied++] = device;
	}
}
