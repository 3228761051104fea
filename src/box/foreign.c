#include "box/foreign.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "box/copy.h"

#define OVERFLOW_ID 65534 /* how the kernel shows ids that a user namespace does not have */

static bool is_foreign(const struct stat *status)
{
	return status->st_uid == OVERFLOW_ID || status->st_gid == OVERFLOW_ID;
}

/* `path` is the host's, up to `done` it is there already; the rest is made as far as it exists. */
static int open_below(
	struct stage *stage, const char *path, size_t done, const char *upper, struct error *err)
{
	char name[PATH_MAX], host[STAGE_PATH], copy[STAGE_PATH];
	size_t length = done + 1 + strcspn(path + done + 1, "/");
	struct stat status;

	if (!path[done])
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)length, path);
	snprintf(host, sizeof(host), STAGE_HOST "%s", name);
	snprintf(copy, sizeof(copy), "%s%s", upper, name + done);
	if (lstat(host, &status) || !S_ISDIR(status.st_mode))
		return 0;
	if (mkdir(copy, 0700) == 0 && !record_add(&stage->record, PLACED_POINT, name))
		return error_set(err, ENOMEM, "cannot make %s in the container", name);
	if (open_below(stage, path, length, copy, err))
		return -1;
	copy_attributes(AT_FDCWD, copy, &status);
	return 0;
}

int foreign_make(struct stage *stage, const char *overlay, const char *path, const char *upper,
	struct error *err)
{
	size_t length = strlen(overlay);

	if (strncmp(path, overlay, length) != 0 || path[length] != '/')
		return 0;
	return open_below(stage, path, length, upper, err);
}

int foreign_open(struct stage *stage, const char *path, const char *upper, struct error *err)
{
	/* Where everybody may make files. */
	static const char *const open_to_all[] = { "/var/tmp", "/run/lock" };
	struct stat status;

	if (stat(STAGE_HOST, &status) || !is_foreign(&status))
		return 0;
	for (size_t i = 0; i < sizeof(open_to_all) / sizeof(open_to_all[0]); i++)
		if (foreign_make(stage, path, open_to_all[i], upper, err))
			return -1;
	for (size_t i = 0; i < stage->config->mount_count; i++)
		if (foreign_make(stage, path, stage->config->mounts[i].inside, upper, err))
			return -1;
	return 0;
}
