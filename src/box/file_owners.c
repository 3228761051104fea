#include "box/file_owners.h"

#include <errno.h>
#include <stdio.h>

#include "arena/file_owners.h"
#include "arena/numbers.h"
#include "base/cleanup.h"

#define OVERFLOW_ID 65534 /* how the kernel shows ids that a user namespace does not have */

static int tell_one(struct arena *arena, const struct box_owner *owner, struct error *err)
{
	uint64_t number = number_path(owner->path);
	uint32_t place = file_owner_place(arena, number);

	if (place == FILE_OWNER_PLACES)
		return error_set(err, 0, "--image: cannot keep the owner of %s", owner->path);
	arena->file_owners[place] = (struct file_owner){ number, owner->uid, owner->gid };
	return 0;
}

int file_owners_tell(const struct box_config *config, struct arena *arena, struct error *err)
{
	if (config->owner_count > FILE_OWNERS)
		return error_set(err, 0,
			"--image: more than %u files have owners other than root; run it as root",
			FILE_OWNERS);
	for (size_t i = 0; i < config->owner_count; i++)
		if (tell_one(arena, &config->owners[i], err))
			return -1;
	arena->config.file_owners = (uint32_t)config->owner_count;
	arena->config.own_owners = config->image && config->own_owners;
	return 0;
}

/* One line per range: two numbers, and how many. */
void file_owners_note_ids(struct arena_config *arena)
{
	cleanup_file FILE *map = fopen("/proc/self/uid_map", "re");
	unsigned long first, outside, count, all = 0;

	while (map && fscanf(map, "%lu %lu %lu", &first, &outside, &count) == 3)
		all += count;
	arena->all_ids = all > 1;
	arena->own_owners &= arena->all_ids;
}

static unsigned known(unsigned id)
{
	return id == OVERFLOW_ID ? 0 : id;
}

/* From the table. */
static void show_listed(const struct arena *arena, uint64_t number, struct stat *status)
{
	const struct file_owner *owner = file_owner_find(arena, number);

	status->st_uid = owner ? owner->uid : 0;
	status->st_gid = owner ? owner->gid : 0;
}

void file_owners_show(
	const struct arena *arena, const char *path, const struct inode *inode, struct stat *status)
{
	bool first = !inode || !(inode->flags & INODE_MADE);

	if (arena->config.relax & RELAX_INODE)
		return;
	if (inode && inode->flags & INODE_OWNED) {
		status->st_uid = inode->uid;
		status->st_gid = inode->gid;
	} else if (first && !arena->config.own_owners) {
		show_listed(
			arena, inode && inode->shown ? inode->shown : number_path(path), status);
	} else if (!arena->config.all_ids) {
		status->st_uid = known(status->st_uid);
		status->st_gid = known(status->st_gid);
	}
}
