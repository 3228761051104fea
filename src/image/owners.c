#include "image/owners.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define FIRST_ROOM 256

static struct owner *append(struct owners *owners, const char *path)
{
	struct owner *list = owners->list;
	struct name *name;

	if (owners->count == owners->room) {
		size_t room = owners->room ? 2 * owners->room : FIRST_ROOM;

		list = reallocarray(list, room, sizeof(*list));
		if (!list)
			return NULL;
		owners->list = list;
		owners->room = room;
	}
	name = names_add(&owners->names, path, owners->count);
	if (!name)
		return NULL;
	list[owners->count].path = name->text;
	return &list[owners->count++];
}

int owners_add(struct owners *owners, const char *path, uid_t uid, gid_t gid, struct error *err)
{
	const struct name *known = names_find(&owners->names, path);
	struct owner *owner = known ? &owners->list[known->number] : append(owners, path);

	if (!owner)
		return error_set(err, ENOMEM, "owners of files");
	owner->uid = uid;
	owner->gid = gid;
	return 0;
}

static bool is_root(const struct owner *owner)
{
	return owner->uid == 0 && owner->gid == 0;
}

const struct owner *owners_find(const struct owners *owners, const char *path)
{
	const struct name *known = names_find(&owners->names, path);

	return known && !is_root(&owners->list[known->number]) ? &owners->list[known->number]
							       : NULL;
}

/* One that is gone stays in the list as root's, and so is not written. */
void owners_forget(struct owners *owners, const char *path)
{
	const struct name *known = names_find(&owners->names, path);

	if (known)
		owners->list[known->number].uid = owners->list[known->number].gid = 0;
}

void owners_forget_below(struct owners *owners, const char *path)
{
	size_t length = strlen(path);

	for (size_t i = 0; i < owners->count; i++) {
		struct owner *owner = &owners->list[i];

		if (strncmp(owner->path, path, length) == 0 && owner->path[length] == '/')
			owner->uid = owner->gid = 0;
	}
}

static int compare_paths(const void *a, const void *b)
{
	const struct owner *one = a, *other = b;

	return strcmp(one->path, other->path);
}

static void sort(struct owners *owners)
{
	if (owners->count)
		qsort(owners->list, owners->count, sizeof(*owners->list), compare_paths);
	for (size_t i = 0; i < owners->count; i++)
		names_find(&owners->names, owners->list[i].path)->number = i;
}

int owners_write(struct owners *owners, int fd, struct error *err)
{
	int copy = dup(fd);
	cleanup_file FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out) {
		cleanup_close_do(&copy);
		return error_set(err, errno, "cannot write the owners of files");
	}
	sort(owners);
	for (size_t i = 0; i < owners->count; i++) {
		const struct owner *owner = &owners->list[i];

		if (!is_root(owner))
			fprintf(out, "%u:%u %s%c", owner->uid, owner->gid, owner->path, 0);
	}
	if (fflush(out))
		return error_set(err, errno, "cannot write the owners of files");
	return 0;
}

/* Digits, and then `end`; `text` comes to lie behind it. */
static bool read_number(char **text, char end, unsigned *number)
{
	char *behind;
	unsigned long value;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	value = strtoul(*text, &behind, 10);
	if (errno || value > UINT_MAX || *behind != end)
		return false;
	*number = (unsigned)value;
	*text = behind + 1;
	return true;
}

static int read_entry(struct owners *owners, char *text, const char *file, struct error *err)
{
	unsigned uid, gid;

	if (!read_number(&text, ':', &uid) || !read_number(&text, ' ', &gid) || *text != '/')
		return error_set(err, 0, "%s is no list of owners", file);
	return owners_add(owners, text, uid, gid, err);
}

int owners_read(struct owners *owners, const char *file, struct error *err)
{
	cleanup_file FILE *in = fopen(file, "re");
	cleanup_free char *entry = NULL;
	size_t room = 0;
	ssize_t length;

	if (!in)
		return error_set(err, errno, "cannot read %s", file);
	while ((length = getdelim(&entry, &room, 0, in)) > 0) {
		if (entry[length - 1])
			return error_set(err, 0, "%s is cut off", file);
		if (read_entry(owners, entry, file, err))
			return -1;
	}
	return ferror(in) ? error_set(err, errno, "cannot read %s", file) : 0;
}

void owners_release(struct owners *owners)
{
	free(owners->list);
	names_release(&owners->names);
	*owners = (struct owners){ 0 };
}
