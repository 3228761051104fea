#include "box/record.h"

#include <stdlib.h>
#include <string.h>

struct placed *record_add(struct record *record, enum placed_kind kind, const char *path)
{
	struct placed *item;

	if (record->count == record->room) {
		size_t room = record->room ? 2 * record->room : 64;
		struct placed *items = realloc(record->items, room * sizeof(*items));

		if (!items)
			return NULL;
		record->items = items;
		record->room = room;
	}
	item = &record->items[record->count];
	*item = (struct placed){ .kind = kind, .path = strdup(path), .tree = -1 };
	if (!item->path)
		return NULL;
	record->count++;
	return item;
}

struct placed *record_shown(
	struct record *record, enum placed_kind kind, const char *path, const char *host)
{
	struct placed *item = record_add(record, kind, path);

	if (item)
		item->host = strdup(host);
	return item && item->host ? item : NULL;
}

struct placed *record_find(const struct record *record, const char *path)
{
	for (size_t i = record->count; i-- > 0;)
		if (strcmp(record->items[i].path, path) == 0)
			return &record->items[i];
	return NULL;
}

bool record_is_mounted(const struct record *record, const char *path)
{
	for (size_t i = 0; i < record->count; i++) {
		const struct placed *item = &record->items[i];
		size_t length = strlen(item->path);

		if (item->kind == PLACED_MOUNT && strncmp(item->path, path, length) == 0 &&
			path[length] == '/')
			return true;
	}
	return false;
}

bool record_below(const struct record *record, const char *path)
{
	size_t length = strcmp(path, "/") ? strlen(path) : 0;

	for (size_t i = 0; i < record->count; i++)
		if (strncmp(record->items[i].path, path, length) == 0 &&
			record->items[i].path[length] == '/')
			return true;
	return false;
}

void record_release(struct record *record)
{
	for (size_t i = 0; i < record->count; i++) {
		free(record->items[i].path);
		free(record->items[i].host);
	}
	free(record->items);
	*record = (struct record){ 0 };
}
