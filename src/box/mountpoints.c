#include "box/mountpoints.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <stdlib.h>
#include "box/mountinfo.h"
#include "box/short_counts.h"

static void add(struct arena_config *config, const struct stat *status)
{
	const struct mount_parent parent = { status->st_dev, status->st_ino };

	for (uint32_t i = 0; i < config->mount_parents; i++)
		if (memcmp(&config->mount_parent[i], &parent, sizeof(parent)) == 0)
			return;
	if (config->mount_parents < MOUNT_PARENTS)
		config->mount_parent[config->mount_parents++] = parent;
}

int mountpoints_tell(struct arena_config *config, struct error *err)
{
	struct mountinfo mounts = { 0 };

	if (mountinfo_read(&mounts, err))
		return -1;
	config->mount_parents = 0;
	for (const char *point = mounts.text; point < mounts.text + mounts.bytes;
		point += strlen(point) + 1) {
		char parent[4096];
		struct stat status;

		snprintf(parent, sizeof(parent), "%s", point);
		strrchr(parent, '/')[1] = '\0';
		if (short_counts_at(point))
			config->short_counts = true;
		if (strcmp(point, "/") != 0 && stat(parent, &status) == 0)
			add(config, &status);
	}
	free(mounts.text);
	return 0;
}
