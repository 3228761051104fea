#include "base/attributes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/cleanup.h"

#define ATTRIBUTE_MAX 65536 /* the kernel's limit on names and on values */

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct attribute *)a)->name, ((const struct attribute *)b)->name);
}

static bool is_own(const char *name)
{
	return strncmp(name, "user.", 5) == 0 && strncmp(name, "user.overlay.", 13) != 0;
}

static int add(int fd, struct attributes *all, const char *name)
{
	cleanup_free char *value = malloc(ATTRIBUTE_MAX);
	ssize_t n = value ? fgetxattr(fd, name, value, ATTRIBUTE_MAX) : -1;
	char *copy;

	if (!value)
		return -1;
	if (n < 0)
		return 0;
	copy = malloc((size_t)n + 1);
	if (!copy)
		return -1;
	memcpy(copy, value, (size_t)n);
	all->list[all->count++] = (struct attribute){ name, copy, (size_t)n };
	return 0;
}

int attributes_read(int fd, struct attributes *all)
{
	ssize_t bytes = flistxattr(fd, NULL, 0);

	*all = (struct attributes){ 0 };
	if (bytes <= 0) /* nearly always */
		return 0;
	all->names = malloc(ATTRIBUTE_MAX);
	bytes = all->names ? flistxattr(fd, all->names, ATTRIBUTE_MAX) : 0;
	all->list = calloc((size_t)(bytes > 0 ? bytes : 0) + 1, sizeof(*all->list));
	if (!all->names || !all->list)
		return -1;
	for (char *name = all->names; name < all->names + bytes; name += strlen(name) + 1)
		if (is_own(name) && add(fd, all, name))
			return -1;
	qsort(all->list, all->count, sizeof(*all->list), compare);
	return 0;
}

void attributes_give(const struct attributes *all, int fd)
{
	for (size_t i = 0; i < all->count; i++)
		fsetxattr(fd, all->list[i].name, all->list[i].value, all->list[i].bytes, 0);
}

void attributes_release(struct attributes *all)
{
	for (size_t i = 0; i < all->count; i++)
		free((void *)all->list[i].value);
	free(all->list);
	free(all->names);
}
