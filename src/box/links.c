#include "box/links.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

struct link_name {
	dev_t device;
	ino_t inode;
	char *path;
};

static int compare(const void *a, const void *b)
{
	const struct link_name *one = a, *other = b;

	if (one->inode != other->inode)
		return one->inode < other->inode ? -1 : 1;
	return one->device < other->device ? -1 : one->device > other->device;
}

const char *links_find(const struct links *links, const struct stat *status)
{
	struct link_name key = { status->st_dev, status->st_ino, NULL };
	struct link_name **found;

	if (status->st_nlink < 2)
		return NULL;
	found = tfind(&key, &links->tree, compare);
	return found ? (*found)->path : NULL;
}

static void release(void *item)
{
	free(((struct link_name *)item)->path);
	free(item);
}

int links_add(struct links *links, const struct stat *status, const char *path)
{
	struct link_name *item;

	if (status->st_nlink < 2)
		return 0;
	item = malloc(sizeof(*item));
	if (!item)
		return -1;
	*item = (struct link_name){ status->st_dev, status->st_ino, strdup(path) };
	if (item->path && tsearch(item, &links->tree, compare))
		return 0;
	release(item);
	return -1;
}

void links_release(struct links *links)
{
	tdestroy(links->tree, release);
}
