#include "box/stage.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "box/attach.h"
#include "box/preflight.h"

/*
 * Anything that exists everywhere would do as the place where the stage is mounted for a moment;
 * what it hides there comes back when the roots are exchanged.
 */
#define STAGE_POINT "/proc"

static int make_directories(struct error *err)
{
	static const char *const names[] = { STAGE_POINT STAGE_HOST, STAGE_POINT STAGE_ROOT,
		STAGE_POINT STAGE_LAYER };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (mkdir(names[i], 0755))
			return error_set(
				err, errno, "cannot make directories for the container's root");
	return 0;
}

static int show_scratch(const char *scratch, struct error *err)
{
	char path[STAGE_PATH];

	snprintf(path, sizeof(path), STAGE_HOST "%s", scratch);
	return attach_path(path, STAGE_LAYER, false, err);
}

int stage_enter(struct stage *stage, const char *scratch, struct error *err)
{
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return preflight_explain(errno, "cannot make mounts private", err);
	if (mountinfo_read(&stage->mounts, err))
		return -1;
	if (mount("stet", STAGE_POINT, "tmpfs", MS_NOSUID, "mode=755"))
		return preflight_explain(errno, "cannot mount a tmpfs", err);
	if (make_directories(err))
		return -1;
	if (syscall(SYS_pivot_root, STAGE_POINT, STAGE_POINT STAGE_HOST) || chdir("/"))
		return error_set(err, errno, "cannot change the root directory");
	if (mount(STAGE_ROOT, STAGE_ROOT, NULL, MS_BIND, NULL))
		return error_set(err, errno, "cannot mount the container's root");
	return scratch ? show_scratch(scratch, err) : 0;
}

int stage_leave(struct error *err)
{
	if (chdir(STAGE_ROOT) || syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) ||
		chdir("/"))
		return error_set(err, errno, "cannot enter the container's root");
	return 0;
}
