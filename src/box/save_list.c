#include "box/save_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "box/seen.h"

#define MARK   ".wh."
#define OPAQUE MARK MARK ".opq"

static int no_memory(struct error *err)
{
	return error_set(err, ENOMEM, "cannot save");
}

/* Takes the path over. */
static struct save_item *add(struct save_list *list, char *path, struct error *err)
{
	struct save_item *items = list->items;

	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 256;
		items = reallocarray(items, list->room, sizeof(*items));
	}
	if (!path || !items) {
		free(path);
		no_memory(err);
		return NULL;
	}
	list->items = items;
	items[list->count] = (struct save_item){ .path = path, .wanted = true };
	return &items[list->count++];
}

/* The walk over the changes. */

static int take(struct save_list *list, const struct change *change, bool wanted, struct error *err)
{
	struct save_item *item = add(list, strdup(change->path), err);

	if (!item)
		return -1;
	item->status = seen_status(list->changes, change);
	item->anew = change->anew;
	item->wanted = wanted;
	return 0;
}

static int take_directory(void *context, const struct change *directory, struct error *err)
{
	return take(context, directory, directory->own, err);
}

static int leave_directory(void *context, const struct change *directory, struct error *err)
{
	(void)context, (void)directory, (void)err;
	return 0;
}

static int take_file(void *context, const struct change *file, struct error *err)
{
	return S_ISSOCK(file->status->st_mode) ? 0 : take(context, file, true, err);
}

static int take_deletion(void *context, const char *path, struct error *err)
{
	struct save_item *item = add(context, strdup(path), err);

	if (!item)
		return -1;
	item->gone = true;
	return 0;
}

/* What becomes of that. */

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct save_item *)a)->path, ((const struct save_item *)b)->path);
}

static void sort(struct save_list *list)
{
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare);
}

/* That something was replaced is told apart from what it was replaced by; and the walk comes by
 * some directories twice. */
static void merge(struct save_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct save_item *item = &list->items[i];
		struct save_item *last = kept ? &list->items[kept - 1] : NULL;

		if (!last || strcmp(last->path, item->path) != 0) {
			list->items[kept++] = *item;
			continue;
		}
		if (!last->status.st_mode)
			last->status = item->status;
		last->gone |= item->gone;
		last->anew |= item->anew;
		last->wanted |= item->wanted;
		free(item->path);
	}
	list->count = kept;
}

/* All directories that lead to it. One that is wanted had its turn before. */
static int want_parents(
	const struct save_list *list, const struct save_item *item, struct error *err)
{
	cleanup_free char *path = strdup(item->path);
	struct save_item key = { .path = path }, *parent;
	char *slash;

	if (!path)
		return no_memory(err);
	while ((slash = strrchr(path, '/')) && slash > path) {
		*slash = '\0';
		parent = bsearch(&key, list->items, list->count, sizeof(*list->items), compare);
		if (parent && parent->wanted)
			break;
		if (parent)
			parent->wanted = true;
	}
	return 0;
}

static int want_all_parents(const struct save_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].wanted && want_parents(list, &list->items[i], err))
			return -1;
	return 0;
}

/* An item that says that what is at `item` is gone. */
static int add_marker(struct save_list *list, const struct save_item *item, struct error *err)
{
	const char *name = strrchr(item->path, '/') + 1;
	struct save_item *marker;
	char *path = NULL;
	int n;

	if (item->status.st_mode)
		n = asprintf(&path, "%s/" OPAQUE, item->path);
	else
		n = asprintf(&path, "%.*s" MARK "%s", (int)(name - item->path), item->path, name);
	marker = add(list, n < 0 ? NULL : path, err);
	if (!marker)
		return -1;
	marker->status.st_mode = S_IFREG | 0644;
	marker->marker = true;
	return 0;
}

/* What takes the place of something of another kind needs no marker: it replaces that anyway. */
static int add_markers(struct save_list *list, struct error *err)
{
	size_t count = list->count;

	for (size_t i = 0; i < count; i++) {
		struct save_item item = list->items[i];
		bool marked = item.anew || (item.gone && !item.status.st_mode);

		if (item.wanted && strstr(item.path, "/" MARK))
			return error_set(err, 0,
				"cannot save %s in a tar: names that begin with " MARK
				" mean deletions in layers of images; use --save DIR",
				item.path);
		if (marked && add_marker(list, &item, err))
			return -1;
	}
	return 0;
}

/* What is not there has its marker now. */
static void drop_unwanted(struct save_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].wanted && list->items[i].status.st_mode)
			list->items[kept++] = list->items[i];
		else
			free(list->items[i].path);
	}
	list->count = kept;
}

int save_list_make(struct save_list *list, const struct changes *changes, struct error *err)
{
	struct changes_visitor visitor = {
		.context = list,
		.enter = take_directory,
		.leave = leave_directory,
		.file = take_file,
		.deleted = take_deletion,
	};

	*list = (struct save_list){ .changes = changes };
	if (changes_walk(changes, &visitor, err))
		return -1;
	sort(list);
	merge(list);
	if (want_all_parents(list, err) || add_markers(list, err))
		return -1;
	drop_unwanted(list);
	sort(list);
	return 0;
}

void save_list_release(struct save_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].path);
	free(list->items);
}
