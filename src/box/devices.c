#include "box/devices.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "box/attach.h"
#include "box/loopback.h"
#include "box/machine_tree.h"

static const char *const nodes[] = { "null", "zero", "full", "random", "urandom", "tty" };

static const struct link {
	const char *target, *name;
} links[] = {
	{ "/proc/self/fd", "fd" },
	{ "/proc/self/fd/0", "stdin" },
	{ "/proc/self/fd/1", "stdout" },
	{ "/proc/self/fd/2", "stderr" },
	{ "pts/ptmx", "ptmx" },
};

/*
 * Parts of /proc that would let the host's root, which the container's root is when root runs Stet,
 * change the whole machine.
 */
static const char *const guarded[] = { "sys", "sysrq-trigger", "irq", "bus", "fs" };

/* An image may have it already; but a mount there must not be led away. */
static int make_point(struct stage *stage, const char *inside, struct error *err)
{
	char target[64];
	struct stat status;

	snprintf(target, sizeof(target), STAGE_ROOT "%s", inside);
	if (mkdir(target, 0755) &&
		(errno != EEXIST || lstat(target, &status) || !S_ISDIR(status.st_mode)))
		return error_set(
			err, errno, "cannot make the directory %s in the container", inside);
	if (!record_add(&stage->record, PLACED_MOUNT, inside))
		return error_set(err, ENOMEM, "cannot make %s in the container", inside);
	return 0;
}

static int mount_proc(struct stage *stage, struct error *err)
{
	if (make_point(stage, "/proc", err))
		return -1;
	if (mount("proc", STAGE_ROOT "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return error_set(err, errno,
			"cannot mount /proc (inside another container, it must not hide parts of "
			"/proc)");
	if (stage->config->net == BOX_NET_LOOPBACK && !(stage->config->relax & RELAX_ORDER))
		stage->loopback = loopback_tune(STAGE_ROOT "/proc");
	for (size_t i = 0; i < sizeof(guarded) / sizeof(guarded[0]); i++) {
		char path[64];

		snprintf(path, sizeof(path), STAGE_ROOT "/proc/%s", guarded[i]);
		if (access(path, F_OK) == 0 && attach_path(path, path, true, err))
			return -1;
	}
	return 0;
}

/* A file system of its own: what is told of /sys by its device must not be told of other files. */
static int make_sys(struct stage *stage, struct error *err)
{
	struct mount_attr attributes = { .attr_set = MOUNT_ATTR_RDONLY };
	const struct box_config *config = stage->config;
	cleanup_close int root = -1;

	if (mount("sysfs", STAGE_ROOT "/sys", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		    "mode=755"))
		return error_set(err, errno, "cannot mount a tmpfs on /sys");
	root = open(STAGE_ROOT "/sys", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return error_set(err, errno, "cannot open the container's /sys");
	if (machine_tree_make(root, &config->machine, config->net != BOX_NET_NONE, err))
		return -1;
	if (mount_setattr(root, "", AT_EMPTY_PATH, &attributes, sizeof(attributes)))
		return error_set(err, errno, "cannot make /sys read-only in the container");
	return 0;
}

static int mount_sys(struct stage *stage, struct error *err)
{
	if (make_point(stage, "/sys", err))
		return -1;
	if (stage->config->relax & RELAX_PROC)
		return attach_path(STAGE_HOST "/sys", STAGE_ROOT "/sys", true, err);
	return make_sys(stage, err);
}

static int bind_node(const char *name, struct error *err)
{
	char host[64], inside[64];
	int fd;

	snprintf(host, sizeof(host), STAGE_HOST "/dev/%s", name);
	snprintf(inside, sizeof(inside), STAGE_ROOT "/dev/%s", name);
	fd = open(inside, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_set(err, errno, "cannot make /dev/%s in the container", name);
	close(fd);
	/* Read-only keeps the host's nodes from chmod and the like; devices can still be
	 * written. */
	return attach_path(host, inside, true, err);
}

static int mount_pts(struct error *err)
{
	static const char options[] = "newinstance,ptmxmode=0666,mode=620";
	char with_group[64];

	/* Group 5 is tty everywhere; a container with one group does not have it. */
	snprintf(with_group, sizeof(with_group), "%s,gid=5", options);
	if (mkdir(STAGE_ROOT "/dev/pts", 0755))
		return error_set(err, errno, "cannot make /dev/pts in the container");
	if (mount("devpts", STAGE_ROOT "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, with_group) &&
		mount("devpts", STAGE_ROOT "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, options))
		return error_set(err, errno, "cannot mount /dev/pts");
	return 0;
}

static int make_dev(struct stage *stage, struct error *err)
{
	if (make_point(stage, "/dev", err))
		return -1;
	/* What an image has there must not show. */
	if (stage->config->image &&
		mount("stet", STAGE_ROOT "/dev", "tmpfs", MS_NOSUID, "mode=755"))
		return error_set(err, errno, "cannot mount /dev in the container");
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		if (bind_node(nodes[i], err))
			return -1;
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		char name[64];

		snprintf(name, sizeof(name), STAGE_ROOT "/dev/%s", links[i].name);
		if (symlink(links[i].target, name))
			return error_set(err, errno, "cannot make /dev/%s", links[i].name);
	}
	if (mkdir(STAGE_ROOT "/dev/shm", 0755) || chmod(STAGE_ROOT "/dev/shm", 01777))
		return error_set(err, errno, "cannot make /dev/shm");
	return mount_pts(err);
}

int devices_mount(struct stage *stage, struct error *err)
{
	if (mount_proc(stage, err) || mount_sys(stage, err) || make_dev(stage, err))
		return -1;
	return 0;
}
