#include "box/links.h"

#include <stdlib.h>
#include <string.h>

const char *links_find(const struct links *links, const struct stat *status)
{
	if (status->st_nlink < 2)
		return NULL;
	for (size_t i = 0; i < links->count; i++)
		if (links->items[i].inode == status->st_ino &&
			links->items[i].device == status->st_dev)
			return links->items[i].path;
	return NULL;
}

int links_add(struct links *links, const struct stat *status, const char *path)
{
	struct link_name *items;

	if (status->st_nlink < 2)
		return 0;
	items = reallocarray(links->items, links->count + 1, sizeof(*items));
	if (!items)
		return -1;
	links->items = items;
	items[links->count] = (struct link_name){ status->st_dev, status->st_ino, strdup(path) };
	if (!items[links->count].path)
		return -1;
	links->count++;
	return 0;
}

void links_release(struct links *links)
{
	for (size_t i = 0; i < links->count; i++)
		free(links->items[i].path);
	free(links->items);
}
