#include "diff/xattrs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/cleanup.h"

#define XATTR_MOST  65536 /* the kernel's limit on lists and on values */
#define SHOWN_BYTES 32	  /* of a value */

struct xattr {
	char *name;
	unsigned char *value;
	size_t bytes;
};

struct xattrs {
	struct xattr *list;
	size_t count;
};

/* Labels of the machine's security policy, and what overlays keep for themselves. */
static bool is_local(const char *name)
{
	return strcmp(name, "security.selinux") == 0 || strcmp(name, "security.apparmor") == 0 ||
	       strcmp(name, "security.ima") == 0 || strcmp(name, "security.evm") == 0 ||
	       strncmp(name, "user.overlay.", 13) == 0 ||
	       strncmp(name, "trusted.overlay.", 16) == 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct xattr *)a)->name, ((const struct xattr *)b)->name);
}

static int add(struct xattrs *all, int fd, const char *name)
{
	cleanup_free unsigned char *value = malloc(XATTR_MOST);
	ssize_t bytes = value ? fgetxattr(fd, name, value, XATTR_MOST) : -1;
	struct xattr *xattr = &all->list[all->count];

	if (!value)
		return -1;
	if (bytes < 0) /* what cannot be read is not there */
		return 0;
	all->count++;
	xattr->name = strdup(name);
	xattr->value = malloc((size_t)bytes + 1);
	xattr->bytes = (size_t)bytes;
	if (!xattr->name || !xattr->value)
		return -1;
	memcpy(xattr->value, value, (size_t)bytes);
	return 0;
}

static int read_all(struct xattrs *all, int fd, ssize_t bytes)
{
	cleanup_free char *names = malloc(XATTR_MOST);

	if (!names)
		return -1;
	bytes = bytes > 0 ? flistxattr(fd, names, XATTR_MOST) : 0;
	all->list = calloc((size_t)(bytes > 0 ? bytes : 0) + 1, sizeof(*all->list));
	if (!all->list)
		return -1;
	for (const char *name = names; name < names + bytes; name += strlen(name) + 1)
		if (!is_local(name) && add(all, fd, name))
			return -1;
	qsort(all->list, all->count, sizeof(*all->list), by_name);
	return 0;
}

static void release(struct xattrs *all)
{
	for (size_t i = 0; i < all->count; i++) {
		free(all->list[i].name);
		free(all->list[i].value);
	}
	free(all->list);
}

static char *show(const struct xattr *xattr)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	if (!xattr)
		fputs("none", out);
	for (size_t i = 0; xattr && i < xattr->bytes && i < SHOWN_BYTES; i++)
		fprintf(out, "%02x", xattr->value[i]);
	if (xattr && xattr->bytes > SHOWN_BYTES)
		fprintf(out, "... (%zu bytes)", xattr->bytes);
	fclose(out);
	return text;
}

static int say(struct node *node, const char *name, const struct xattr *a, const struct xattr *b)
{
	cleanup_free char *one = show(a), *other = show(b);

	if (!one || !other)
		return -1;
	return node_say(
		node, LEVEL_STRUCTURE, NULL, "extended attribute %s: %s, %s", name, one, other);
}

static int say_differing(struct node **node, const char *name, const char *format,
	const struct xattr *a, const struct xattr *b)
{
	const char *attribute = a ? a->name : b ? b->name : NULL;

	if (a && b && a->bytes == b->bytes && memcmp(a->value, b->value, a->bytes) == 0)
		return 0;
	if (!*node)
		*node = node_new(name, format);
	return *node ? say(*node, attribute, a, b) : -1;
}

/* The next of each side; NULL where that has none, or one of a later name. False behind the last. */
static bool next_pair(const struct xattrs sides[2], size_t at[2], const struct xattr *next[2])
{
	int order = 0;

	for (int side = 0; side < 2; side++)
		next[side] = at[side] < sides[side].count ? &sides[side].list[at[side]] : NULL;
	if (next[0] && next[1])
		order = strcmp(next[0]->name, next[1]->name);
	if (order > 0)
		next[0] = NULL;
	if (order < 0)
		next[1] = NULL;
	at[0] += next[0] != NULL;
	at[1] += next[1] != NULL;
	return next[0] || next[1];
}

static int compare(
	const struct xattrs sides[2], struct node **node, const char *name, const char *format)
{
	const struct xattr *next[2];
	size_t at[2] = { 0 };

	while (next_pair(sides, at, next))
		if (say_differing(node, name, format, next[0], next[1]))
			return -1;
	return 0;
}

int xattrs_compare(const int fds[2], struct node **node, const char *name, const char *format)
{
	ssize_t bytes[2] = { flistxattr(fds[0], NULL, 0), flistxattr(fds[1], NULL, 0) };
	struct xattrs sides[2] = { 0 };
	int failed;

	if (bytes[0] <= 0 && bytes[1] <= 0) /* nearly always */
		return 0;
	failed = read_all(&sides[0], fds[0], bytes[0]) || read_all(&sides[1], fds[1], bytes[1]) ||
		 compare(sides, node, name, format);
	release(&sides[0]);
	release(&sides[1]);
	return failed ? -1 : 0;
}
