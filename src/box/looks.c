#include "box/looks.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arena/layout.h"
#include "base/cleanup.h"
#include "box/fresh.h"

#define POINT_MODE 0755 /* of directories on the way to a mount */

struct gather {
	const struct box_config *config;
	struct record record;
	struct looks looks;
	size_t room;
	struct error *err;
};

static int no_memory(struct gather *gather)
{
	return error_set(gather->err, ENOMEM, "cannot gather what the command looked at");
}

/* Where names come from. */

/* Does the item lie at the path, or above it? What is behind it in the path, or NULL. */
static const char *rest_below(const struct placed *item, const char *path)
{
	size_t length = strcmp(item->path, "/") ? strlen(item->path) : 0;

	return strncmp(item->path, path, length) == 0 && (!path[length] || path[length] == '/')
		       ? path + length
		       : NULL;
}

static int join(struct gather *gather, struct looked *looked, const char *host, const char *rest)
{
	bool whole = !*rest || strcmp(rest, "/") == 0; /* the directory itself */
	bool in_root = strcmp(host, "/") == 0;

	looked->source = LOOKED_HOST;
	if (asprintf(&looked->host, "%s%s", in_root && !whole ? "" : host, whole ? "" : rest) < 0)
		return no_memory(gather);
	return 0;
}

static int find_text(struct gather *gather, struct looked *looked)
{
	char text[FRESH_TEXT];

	if (!fresh_text(gather->config, looked->path, text))
		return 0;
	looked->source = LOOKED_TEXT;
	looked->text = strdup(text);
	return looked->text ? 0 : no_memory(gather);
}

static void make_directory(struct looked *looked, mode_t mode)
{
	looked->source = LOOKED_DIRECTORY;
	looked->mode = mode;
}

/* 1: the item says what was at the path; 0: it does not; -1 with err. */
static int ask_item(struct gather *gather, const struct placed *item, struct looked *looked)
{
	const char *rest = rest_below(item, looked->path);
	bool same = rest && (!*rest || strcmp(looked->path, item->path) == 0);

	if (!rest || item->kind == PLACED_POINT || (!item->host && !item->fresh))
		return 0;
	if (item->host && (item->kind == PLACED_OVERLAY || item->kind == PLACED_MOUNT))
		return join(gather, looked, item->host, rest) ? -1 : 1;
	if (!same)
		return item->kind == PLACED_DIRECTORY; /* what it has, has items of its own */
	if (item->host) {
		looked->mode = item->mode;
		return join(gather, looked, item->host, "") ? -1 : 1;
	}
	if (item->kind == PLACED_FILE)
		return find_text(gather, looked) ? -1 : 1;
	make_directory(looked, fresh_mode(looked->path));
	return 1;
}

static bool is_point(const struct gather *gather, const char *path)
{
	for (size_t i = 0; i < gather->record.count; i++)
		if (gather->record.items[i].kind == PLACED_POINT &&
			strcmp(gather->record.items[i].path, path) == 0)
			return true;
	return false;
}

/* Of what was laid at one place, or above it, the last is seen. */
static int find_source(struct gather *gather, struct looked *looked)
{
	struct stat status;
	int found = 0;

	for (size_t i = gather->record.count; i-- > 0 && found == 0;)
		found = ask_item(gather, &gather->record.items[i], looked);
	if (found < 0)
		return -1;
	if (looked->source == LOOKED_NOTHING ||
		(looked->source == LOOKED_HOST && lstat(looked->host, &status)))
		if (is_point(gather, looked->path))
			make_directory(looked, POINT_MODE);
	return 0;
}

/* The names. */

static int add(struct gather *gather, const char *path, uint32_t kinds)
{
	struct looks *looks = &gather->looks;

	if (looks->count == gather->room) {
		size_t room = gather->room ? 2 * gather->room : 1024;
		struct looked *list = reallocarray(looks->list, room, sizeof(*list));

		if (!list)
			return no_memory(gather);
		looks->list = list;
		gather->room = room;
	}
	looks->list[looks->count] = (struct looked){ .path = strdup(path), .kinds = kinds };
	if (!looks->list[looks->count].path)
		return no_memory(gather);
	looks->count++;
	return 0;
}

/* Absolute, and without empty parts, "." and "..". */
static bool is_plain(const char *path)
{
	if (path[0] != '/')
		return false;
	for (const char *part = path + 1; path[1]; part += strcspn(part, "/") + 1) {
		size_t length = strcspn(part, "/");

		if (length == 0 || length > NAME_MAX || (length == 1 && part[0] == '.') ||
			(length == 2 && memcmp(part, "..", 2) == 0))
			return false;
		if (!part[length])
			break;
	}
	return true;
}

static int damaged(struct gather *gather)
{
	return error_set(gather->err, 0, "what the command looked at is damaged");
}

/* The container could have written anything there. Answers the one before. */
static int add_look(struct gather *gather, const char *text, uint64_t bytes, uint32_t *unit)
{
	uint64_t at = (uint64_t)(*unit - 1) * LOOK_UNIT;
	const struct look *look = (const struct look *)(text + at);

	if (at + sizeof(*look) > bytes || look->bytes == 0 || look->bytes > PATH_MAX ||
		look->bytes > bytes - at - sizeof(*look) || look->path[look->bytes - 1] ||
		!is_plain(look->path))
		return damaged(gather);
	*unit = look->next;
	return look->kinds ? add(gather, look->path, look->kinds) : 0;
}

static int add_chain(struct gather *gather, const char *text, uint64_t bytes, uint32_t unit)
{
	for (uint64_t most = bytes / sizeof(struct look); unit; most--)
		if (most == 0 || add_look(gather, text, bytes, &unit))
			return most ? -1 : damaged(gather);
	return 0;
}

static int add_all(struct gather *gather, int arena_fd)
{
	uint32_t head[3]; /* used, count, last */
	uint64_t bytes;
	char *text;
	int failed;

	if (pread(arena_fd, head, sizeof(head), ARENA_LOOKS_OFFSET) != sizeof(head))
		return error_set(gather->err, errno, "cannot read what the command looked at");
	bytes = (uint64_t)head[0] * LOOK_UNIT;
	if (bytes == 0)
		return 0;
	if (bytes > LOOK_TEXT)
		return damaged(gather);
	text = mmap(NULL, bytes, PROT_READ, MAP_SHARED, arena_fd,
		(off_t)(ARENA_LOOKS_OFFSET + offsetof(struct looks_memory, text)));
	if (text == MAP_FAILED)
		return error_set(gather->err, errno, "cannot read what the command looked at");
	failed = add_chain(gather, text, bytes, head[2]);
	munmap(text, bytes);
	return failed;
}

/* Listings. */

/* Those that the container has afresh are no part of it. */
static int add_name(struct gather *gather, const char *directory, const char *name)
{
	static const char own[] = " proc sys dev ";
	char path[PATH_MAX], word[NAME_MAX + 3];
	bool top = strcmp(directory, "/") == 0;

	snprintf(word, sizeof(word), " %s ", name);
	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (top && strstr(own, word)))
		return 0;
	if (snprintf(path, sizeof(path), "%s/%s", top ? "" : directory, name) >= (int)sizeof(path))
		return error_set(gather->err, ENAMETOOLONG, "%s/%s", directory, name);
	return add(gather, path, 0);
}

/* What was laid out in the directory. */
static int add_placed(struct gather *gather, const char *directory)
{
	size_t length = strcmp(directory, "/") ? strlen(directory) : 0;

	for (size_t i = 0; i < gather->record.count; i++) {
		const char *path = gather->record.items[i].path;

		if (strncmp(path, directory, length) == 0 && path[length] == '/' &&
			path[length + 1] && !strchr(path + length + 1, '/') &&
			add_name(gather, directory, path + length + 1))
			return -1;
	}
	return 0;
}

static bool is_taken_apart(const struct gather *gather, const char *path)
{
	const struct placed *item = record_find(&gather->record, path);

	return item && item->kind == PLACED_DIRECTORY;
}

static int add_names(struct gather *gather, const char *directory, const char *host)
{
	cleanup_dir DIR *dir = host && !is_taken_apart(gather, directory) ? opendir(host) : NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (add_name(gather, directory, entry->d_name))
			return -1;
	return add_placed(gather, directory);
}

/* What is added here has no kinds, so the list may grow while it is walked over. */
static int add_listings(struct gather *gather)
{
	for (size_t i = 0, count = gather->looks.count; i < count; i++) {
		cleanup_free char *path = NULL, *host = NULL;
		struct looked *looked = &gather->looks.list[i];

		if (!(looked->kinds & LOOK_LIST) || looked->source == LOOKED_NOTHING)
			continue;
		path = strdup(looked->path);
		host = looked->host ? strdup(looked->host) : NULL;
		if (!path || add_names(gather, path, host))
			return no_memory(gather);
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct looked *)a)->path, ((const struct looked *)b)->path);
}

static void release_looked(struct looked *looked)
{
	free(looked->path);
	free(looked->host);
	free(looked->text);
}

/* In order, each path once; those that were there before have what was found out of them. */
static void sort(struct looks *looks)
{
	size_t kept = 0;

	if (looks->count)
		qsort(looks->list, looks->count, sizeof(*looks->list), compare);
	for (size_t i = 0; i < looks->count; i++) {
		struct looked *last = kept ? &looks->list[kept - 1] : NULL;

		if (!last || strcmp(last->path, looks->list[i].path) != 0) {
			looks->list[kept++] = looks->list[i];
			continue;
		}
		last->kinds |= looks->list[i].kinds;
		release_looked(&looks->list[i]);
	}
	looks->count = kept;
}

static bool is_listed(const struct looks *looks, size_t count, const char *path)
{
	const struct looked key = { .path = (char *)path };

	return bsearch(&key, looks->list, count, sizeof(key), compare);
}

/* The directories on the way were looked at, too. */
static int add_parents(struct gather *gather)
{
	for (size_t i = 0, count = gather->looks.count; i < count; i++) {
		cleanup_free char *path = strdup(gather->looks.list[i].path);
		char *slash;

		while (path && (slash = strrchr(path, '/')) && slash[1]) {
			slash[slash == path] = '\0';
			if (is_listed(&gather->looks, count, path))
				break;
			if (add(gather, path, LOOK_NAME))
				return -1;
		}
		if (!path)
			return no_memory(gather);
	}
	return 0;
}

static int find_sources(struct gather *gather)
{
	for (size_t i = 0; i < gather->looks.count; i++) {
		struct looked *looked = &gather->looks.list[i];

		if (looked->source == LOOKED_NOTHING && find_source(gather, looked))
			return -1;
	}
	return 0;
}

/* The layout, as another container can be told of it. */
static int note_layout(struct gather *gather)
{
	struct looks *looks = &gather->looks;
	size_t plain = 0;

	looks->plain = calloc(gather->record.count + 1, sizeof(*looks->plain));
	looks->places = calloc(gather->config->mount_count + 1, sizeof(*looks->places));
	if (!looks->plain || !looks->places)
		return no_memory(gather);
	for (size_t i = 0; i < gather->record.count; i++) {
		const struct placed *item = &gather->record.items[i];

		/* Of others nobody is to know. */
		if (item->kind == PLACED_DIRECTORY && is_listed(looks, looks->count, item->path))
			looks->plain[plain++] = item->path;
		if (item->mount && item->mount <= gather->config->mount_count)
			looks->places[item->mount - 1] = item->path;
	}
	return 0;
}

static void release(struct gather *gather)
{
	for (size_t i = 0; i < gather->looks.count; i++)
		release_looked(&gather->looks.list[i]);
	free(gather->looks.list);
	free(gather->looks.plain);
	free(gather->looks.places);
	record_release(&gather->record);
}

int looks_tell(const struct box_config *config, int arena_fd, int layout, struct error *err)
{
	struct gather gather = { .config = config, .err = err };
	int failed = looks_read_layout(layout, &gather.record, err) || add_all(&gather, arena_fd);

	if (!failed) {
		sort(&gather.looks);
		failed = add_parents(&gather) || find_sources(&gather) || add_listings(&gather);
	}
	if (!failed) {
		sort(&gather.looks);
		failed = find_sources(&gather) || note_layout(&gather) ||
			 config->observer->ended(config->observer->context, &gather.looks, err);
	}
	release(&gather);
	return failed ? -1 : 0;
}
