#include "diff/hard_links.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct hard_link {
	dev_t device;
	ino_t inode;
	char *first; /* NULL: the slot is free */
};

/* Where it is, or the free slot for it. */
static struct hard_link *find(const struct hard_links *links, dev_t device, ino_t inode)
{
	size_t at = (inode * 0x9e3779b97f4a7c15ull ^ device) >> 20;

	for (;; at++) {
		struct hard_link *slot = &links->slots[at & (links->room - 1)];

		if (!slot->first || (slot->device == device && slot->inode == inode))
			return slot;
	}
}

static int grow(struct hard_links *links)
{
	struct hard_links larger = { .count = links->count,
		.room = links->room ? 2 * links->room : 64 };

	larger.slots = calloc(larger.room, sizeof(*larger.slots));
	if (!larger.slots)
		return -1;
	for (size_t i = 0; i < links->room; i++) {
		const struct hard_link *slot = &links->slots[i];

		if (slot->first)
			*find(&larger, slot->device, slot->inode) = *slot;
	}
	free(links->slots);
	*links = larger;
	return 0;
}

int hard_links_meet(
	struct hard_links *links, const struct stat *status, const char *path, const char **first)
{
	struct hard_link *slot;

	*first = NULL;
	if (status->st_nlink < 2 || S_ISDIR(status->st_mode))
		return 0;
	if (2 * (links->count + 1) > links->room && grow(links))
		return -1;
	slot = find(links, status->st_dev, status->st_ino);
	if (slot->first) {
		*first = slot->first;
		return 0;
	}
	*slot = (struct hard_link){ status->st_dev, status->st_ino, strdup(path) };
	links->count++;
	return slot->first ? 0 : -1;
}

void hard_links_release(struct hard_links *links)
{
	for (size_t i = 0; i < links->room; i++)
		free(links->slots[i].first);
	free(links->slots);
	*links = (struct hard_links){ 0 };
}
